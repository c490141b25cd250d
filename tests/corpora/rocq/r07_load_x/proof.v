Proof. intro n. Load "x". Qed.
