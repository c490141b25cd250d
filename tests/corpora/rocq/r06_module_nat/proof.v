Module Nat.
Proof. auto. Qed.
