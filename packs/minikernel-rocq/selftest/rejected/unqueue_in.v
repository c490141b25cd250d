Proof.
  fix IH 3.
  intros t x q.
  apply IH.
Qed.
