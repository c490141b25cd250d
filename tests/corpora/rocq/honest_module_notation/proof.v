Proof. lia. Qed.
