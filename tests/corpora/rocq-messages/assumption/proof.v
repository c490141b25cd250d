Proof.
intros P Q H. assumption.
Qed.
