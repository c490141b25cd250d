Proof. intro n. Quit. Qed.
