Hint Resolve I.
Proof. auto. Qed.
