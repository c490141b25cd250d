Proof. intros P Q [p q]. split. 2: { exact p. } 1: exact q. Qed.
