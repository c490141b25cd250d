Proof. intro n. Succeed auto. Qed.
