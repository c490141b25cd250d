Proof. intro n. Eval compute in 1. Qed.
