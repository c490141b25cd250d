Proof. intro n. Restart. Qed.
