Proof. intro n. let rec f x := (assert_succeeds (assert (2 ^ 10 = 1024) by (vm_compute; reflexivity)); f x) in f 1. Qed.
