Proof. intro n. native_compute. reflexivity. Qed.
