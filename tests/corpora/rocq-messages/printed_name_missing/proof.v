Proof.
intros n. idtac "x" y.
Qed.
