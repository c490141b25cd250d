Arguments S.
Proof. auto. Qed.
