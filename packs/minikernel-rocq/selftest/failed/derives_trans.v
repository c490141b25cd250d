Proof.
  intros c d e Hcd Hde.
  apply derives_compose with d; assumption.
Qed.
