Proof.
  all: Search nat.
  intros; auto.
Qed.
