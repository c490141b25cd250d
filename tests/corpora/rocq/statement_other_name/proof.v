Lemma other : forall n : nat, n = S n.
Proof. reflexivity. Qed.
