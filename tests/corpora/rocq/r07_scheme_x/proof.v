Proof. intro n. Scheme x := Induction for nat Sort Prop. Qed.
