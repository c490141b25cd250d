Proof.
intros P Q [A B]. split.
- exact B.
+ exact A.
Qed.
