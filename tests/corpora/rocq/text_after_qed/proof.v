Proof. intro n. Qed. auto.
