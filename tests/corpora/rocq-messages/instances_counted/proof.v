Proof.
intros n. exists n.
Qed.
