Proof. intro n. Derive Inversion x with nat. Qed.
