Proof. intro n. Separate Extraction nat. Qed.
