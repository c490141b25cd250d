Proof. Qed. Lemma x : True. exact I. Qed.
