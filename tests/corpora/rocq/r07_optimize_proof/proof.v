Proof. intro n. Optimize Proof. Qed.
