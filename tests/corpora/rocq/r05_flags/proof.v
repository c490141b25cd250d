-type-in-type.
Set Printing All.
Proof. Qed.
