Proof.
intros P Q H. match goal with K : False |- _ => idtac end.
Qed.
