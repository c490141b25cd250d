Proof. intro n. Grab Existential Variables. Qed.
