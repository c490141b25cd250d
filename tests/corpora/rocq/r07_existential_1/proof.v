Proof. intro n. Existential 1 := I. Qed.
