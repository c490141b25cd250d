Proof. intro n. Reset Initial. Qed.
