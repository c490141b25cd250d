Proof. intro n. Qed
