Proof.
exact (1%nosuch).
Qed.
