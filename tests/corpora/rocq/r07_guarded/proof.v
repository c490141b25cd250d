Proof. intro n. Guarded. Qed.
