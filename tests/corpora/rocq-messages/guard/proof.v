Proof.
exact (fix f (n : nat) : nat := f n).
Qed.
