Proof. intros P Q [p q]. split.
- exact q.
+ exact p. Qed.
