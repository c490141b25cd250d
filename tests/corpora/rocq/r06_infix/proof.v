Infix "=" := or.
Proof. auto. Qed.
