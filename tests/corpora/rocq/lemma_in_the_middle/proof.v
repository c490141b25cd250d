Proof. Lemma x : True. exact I. Qed. auto. Qed.
