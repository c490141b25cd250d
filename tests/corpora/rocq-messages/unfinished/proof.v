Proof.
intros P Q H.
Qed.
