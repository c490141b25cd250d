Proof. intro n. Profile "f" Check I. Qed.
