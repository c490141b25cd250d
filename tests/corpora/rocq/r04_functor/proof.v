Module F (X : T). End F.
Proof. Qed.
