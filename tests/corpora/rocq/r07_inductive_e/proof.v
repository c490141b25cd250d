Proof. intro n. Inductive e : Prop :=. Qed.
