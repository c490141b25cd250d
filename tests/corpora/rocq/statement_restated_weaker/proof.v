Lemma impossible : forall n : nat, n = n.
Proof. reflexivity. Qed.
