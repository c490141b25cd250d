Proof. intro n. Pwd. Qed.
