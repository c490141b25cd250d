Proof. intro n. Ltac2 x := (). Qed.
