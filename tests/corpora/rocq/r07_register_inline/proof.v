Proof. intro n. Register Inline plus. Qed.
