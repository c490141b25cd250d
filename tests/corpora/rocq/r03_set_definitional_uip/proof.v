Set Definitional UIP.
Proof. intro n. Qed.
