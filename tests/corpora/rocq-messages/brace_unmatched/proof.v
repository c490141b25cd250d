Proof.
intros P Q [A B]. }
Qed.
