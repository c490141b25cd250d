Proof. intro n. shelve. Qed.
