Proof.
decide equality.
Qed.
