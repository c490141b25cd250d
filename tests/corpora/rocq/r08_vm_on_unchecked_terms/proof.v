Proof. intro n. change_no_check (0 = 0). vm_compute. reflexivity. Qed.
