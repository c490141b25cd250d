Proof.
intros P Q H. clear H7.
Qed.
