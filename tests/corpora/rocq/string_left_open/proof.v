Proof. idtac "a. Qed.
