Proof. intro n. assert (H : 100000 = 100000 * 1). vm_compute. reflexivity. discriminate. Qed.
