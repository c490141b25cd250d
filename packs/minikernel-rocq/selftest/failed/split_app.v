Proof.
  induction x as [| b x IH
    simpl.
Qed.
