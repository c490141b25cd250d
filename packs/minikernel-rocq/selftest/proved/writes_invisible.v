Proof.
  intro ws.
  induction ws as [| p rest IH]; intros m w.
  - reflexivity.
  - destruct p as [v x].
    simpl.
    transitivity (read (write m writer v x) reader w).
    + apply IH.
    + apply write_invisible.
Qed.
