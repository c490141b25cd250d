Proof. intro n. Drop. Qed.
