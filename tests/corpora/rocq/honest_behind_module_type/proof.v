Proof.
  intro n. destruct n; simpl; lia.
Qed.
