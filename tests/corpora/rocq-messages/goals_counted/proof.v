Proof.
intros P Q [A B]. split; [exact B].
Qed.
