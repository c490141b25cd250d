Proof. intro​ n. Qed.
