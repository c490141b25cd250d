Proof. intro n. Print nat. Qed.
