Proof. intros P Q [p q]. split. exact p. exact q. Qed.
