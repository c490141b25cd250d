Proof. intro n. Ltac x := auto. Qed.
