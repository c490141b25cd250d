Proof. vm_compute. intro H. discriminate H. Qed.
