Proof. intro n. Show. Qed.
