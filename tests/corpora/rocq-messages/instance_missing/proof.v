Proof.
intros n. apply Nat.le_trans.
Qed.
