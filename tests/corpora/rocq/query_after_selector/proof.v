Proof. intro n. 1: Check I. Qed.
