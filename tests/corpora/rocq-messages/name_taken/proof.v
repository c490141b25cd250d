Proof.
intros P P.
Qed.
