Definition False := True.
Proof. auto. Qed.
