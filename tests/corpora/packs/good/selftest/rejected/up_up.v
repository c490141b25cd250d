Proof.
Admitted.
