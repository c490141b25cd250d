Proof.
intros P Q H. exact (if P then I else I).
Qed.
