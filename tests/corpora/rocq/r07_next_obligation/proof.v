Proof. intro n. Next Obligation. Qed.
