Proof. intro n. Fixpoint f (n : nat) : nat := n. Qed.
