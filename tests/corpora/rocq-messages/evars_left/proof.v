Proof.
intros. shelve.
Qed.
