Proof. intro n. Save impossible. Qed.
