Proof. intro n. Fail auto. Qed.
