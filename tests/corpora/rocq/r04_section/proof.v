Section S. Unset Guard Checking. End S.
Proof. Qed.
