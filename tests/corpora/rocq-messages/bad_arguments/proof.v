Proof.
intros H. injection H as x y z.
Qed.
