Proof.
intros P Q H. rewrite H.
Qed.
