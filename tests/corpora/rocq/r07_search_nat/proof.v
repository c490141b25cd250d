Proof. intro n. Search nat. Qed.
