Proof. Proof. intro n. Qed.
