Proof.
intros t. exact (match t with leaf => eq_refl end).
Qed.
