Proof. intro n. Compute 1. Qed.
