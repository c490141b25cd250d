Proof. intro n. Opaque plus. Qed.
