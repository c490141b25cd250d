Proof. Module Type T. Qed.
