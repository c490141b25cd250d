Proof.
intros n. nia. auto.
Qed.
