Proof. intro n. Add LoadPath "/" as X. Qed.
