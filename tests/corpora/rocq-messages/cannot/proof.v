Proof.
intros P Q H. subst P.
Qed.
