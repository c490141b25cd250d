Proof. intro n. let x := eval vm_compute in (fold_left (fun a y => fold_left (fun b z => (y, z) :: (z, y) :: (y, y) :: (z, z) :: b) (seq 0 5000) a) (seq 0 5000) (@nil (nat * nat))) in idtac. Qed.
