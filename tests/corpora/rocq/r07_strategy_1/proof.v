Proof. intro n. Strategy 1 [plus]. Qed.
