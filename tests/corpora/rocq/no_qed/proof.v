Proof. intro n.
