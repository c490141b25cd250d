Proof. intro n. Export Set Printing All. Qed.
