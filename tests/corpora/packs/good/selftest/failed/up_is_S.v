Proof.
  exact I.
Qed.
