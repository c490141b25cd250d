Proof.
intros t. exact (match t with O => eq_refl | S _ => eq_refl end).
Qed.
