Proof. intro n. exact_no_check (eq_refl n). Qed.
