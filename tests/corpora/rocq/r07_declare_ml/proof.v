Proof. intro n. Declare ML Module "x". Qed.
