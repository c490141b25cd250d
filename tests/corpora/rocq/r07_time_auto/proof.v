Proof. intro n. Time auto. Qed.
