Lemma helper : True.
Proof. exact I. Qed.
