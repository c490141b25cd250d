Proof. induction t. Crush. Crush. Qed.
