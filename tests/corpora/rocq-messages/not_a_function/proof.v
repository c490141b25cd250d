Proof.
intros P Q [A B]. specialize (A B).
Qed.
