Proof. intro n. (* Qed.
