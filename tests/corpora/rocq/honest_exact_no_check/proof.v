Proof. intro H. exfalso. discriminate H. Qed.
