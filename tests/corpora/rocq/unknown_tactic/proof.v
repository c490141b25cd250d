Proof. intros. frobnicate. Qed.
