Proof.
intro n. admit.
Qed.
