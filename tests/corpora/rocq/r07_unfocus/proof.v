Proof. intro n. Unfocus. Qed.
