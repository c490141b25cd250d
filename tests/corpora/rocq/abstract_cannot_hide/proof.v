Proof. intro n. abstract (exfalso; auto). Qed.
