Proof.
intros n. solve [auto].
Qed.
