Proof.
assert (1 = 2) by auto.
Qed.
