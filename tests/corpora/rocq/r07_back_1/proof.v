Proof. intro n. Back 1. Qed.
