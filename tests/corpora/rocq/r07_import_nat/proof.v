Proof. intro n. Import Nat. Qed.
