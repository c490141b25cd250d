Proof.
intros n. assert (H : n = n) by reflexivity. clear n.
Qed.
