Qed.
