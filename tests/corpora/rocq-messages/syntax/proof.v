Proof.
intros P Q ).
Qed.
