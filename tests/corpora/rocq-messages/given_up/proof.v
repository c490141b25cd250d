Proof.
admit.
Qed.
