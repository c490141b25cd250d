Proof. intro n. Obligations. Qed.
