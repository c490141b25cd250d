Reserved Notation "x".
Proof. auto. Qed.
