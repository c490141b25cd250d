Proof. intro n. Transparent plus. Qed.
