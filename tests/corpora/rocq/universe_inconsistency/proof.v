Proof. intro n. pose (X := fun T : Type => T). pose (Y := X (forall T, X T)). change (forall T : Type, T) with (X nat). Qed.
