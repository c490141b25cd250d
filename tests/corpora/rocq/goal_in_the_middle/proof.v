Proof. Goal True. exact I. Qed.
