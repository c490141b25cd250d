Proof.
Lemma inner : True.
Qed.
