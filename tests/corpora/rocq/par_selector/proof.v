Proof. intro n. par: auto. Qed.
