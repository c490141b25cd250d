Proof.
intros P Q H. destruct P.
Qed.
