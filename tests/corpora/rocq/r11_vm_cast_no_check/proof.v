Proof. intro n. vm_cast_no_check (eq_refl n). Qed.
