Unset Positivity Checking.
Proof. intro n. Qed.
