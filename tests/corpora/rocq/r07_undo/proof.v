Proof. intro n. Undo. Qed.
