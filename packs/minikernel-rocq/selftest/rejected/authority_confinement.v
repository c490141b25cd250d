Proof.
  intros.
  admit.
Admitted.
