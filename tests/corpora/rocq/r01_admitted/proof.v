Proof.
intro n.
Admitted.
