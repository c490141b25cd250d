Proof.
intros P Q H. apply H in P.
Qed.
