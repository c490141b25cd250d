Proof. intro n. pose (U := Type). assert (U = (U -> U)) by reflexivity. Qed.
