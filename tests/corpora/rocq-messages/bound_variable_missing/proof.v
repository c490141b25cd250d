Proof.
intros n. apply Nat.le_trans with (z := 1).
Qed.
