Proof.
intros P Q H. exact (H
Qed).
Qed.
