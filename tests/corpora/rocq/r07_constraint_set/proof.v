Proof. intro n. Constraint Set < Set. Qed.
