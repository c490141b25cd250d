Proof. intro n. Debug On. Qed.
