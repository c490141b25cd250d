Proof.
intros P Q [A B]. exact A.
Qed.
