Proof. intro n. Redirect "f" Check I. Qed.
