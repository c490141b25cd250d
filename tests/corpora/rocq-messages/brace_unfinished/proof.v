Proof.
intros P Q [A B]. split.
{ idtac. }
exact A.
Qed.
