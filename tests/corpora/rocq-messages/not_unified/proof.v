Proof.
intros n. reflexivity.
Qed.
