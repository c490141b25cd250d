Proof. cofix IH. apply IH. Qed.
