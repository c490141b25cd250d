Proof.
  intro bits.
  lia.
Qed.
