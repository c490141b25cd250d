Proof using nosuch. intros.
Qed.
