Proof.
auto with nosuch.
Qed.
