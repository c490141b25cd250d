Proof. intro n. Check I. Qed.
