Proof. intro n. Save. Qed.
