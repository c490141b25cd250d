Canonical x.
Proof. auto. Qed.
