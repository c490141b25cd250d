Proof. intro n. Comments. Qed.
