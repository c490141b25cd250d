Proof. intro n. BackTo 1. Qed.
