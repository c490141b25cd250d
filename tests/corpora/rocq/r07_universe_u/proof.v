Proof. intro n. Universe u. Qed.
