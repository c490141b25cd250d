Proof.
assert (X : forall (f : forall t, size t = size t) t, f t = eq_refl).
intros f t. destruct (size t).
Qed.
