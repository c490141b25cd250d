Proof. intro n. Timeout 1 auto. Qed.
