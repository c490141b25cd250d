Proof.
  1_: Search nat.
  intros; auto.
Qed.
