Proof. intros P Q [p q. Qed.
