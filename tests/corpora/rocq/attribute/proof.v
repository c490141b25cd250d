#[global] Lemma x : True.
Proof. Qed.
