Proof.
  intro n.
Qed.
