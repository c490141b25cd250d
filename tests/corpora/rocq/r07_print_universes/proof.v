Proof. intro n. Print Universes "f". Qed.
