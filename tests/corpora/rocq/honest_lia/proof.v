Proof. induction n; simpl; lia. Qed.
