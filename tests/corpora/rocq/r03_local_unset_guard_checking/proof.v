Local Unset Guard Checking.
Proof. intro n. Qed.
