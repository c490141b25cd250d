Proof. intro n. Tactic Notation "x" := auto. Qed.
