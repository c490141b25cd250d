Proof. intro n. Instructions auto. Qed.
