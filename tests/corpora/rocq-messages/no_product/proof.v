Proof.
induction 1.
Qed.
