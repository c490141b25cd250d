Proof. intro n. Cd "/". Qed.
