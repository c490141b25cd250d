Existing Instance I.
Proof. auto. Qed.
