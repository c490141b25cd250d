Proof.
  unfold carve, separate; intros n u r u' H x Hr.
  destruct (le_lt_dec (mark u + n) (top u)).
Qed.
