Proof.
intros P Q H. cut 1.
Qed.
