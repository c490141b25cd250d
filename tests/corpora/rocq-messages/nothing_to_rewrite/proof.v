Proof.
intros n. rewrite Nat.mul_0_r.
Qed.
