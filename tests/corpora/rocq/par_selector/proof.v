Proof.
  par: auto.
Qed.
