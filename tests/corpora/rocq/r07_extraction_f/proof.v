Proof. intro n. Extraction "f" nat. Qed.
