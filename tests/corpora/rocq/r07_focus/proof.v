Proof. intro n. Focus. Qed.
