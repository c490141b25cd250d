Proof. intros. pose proof Inner.plus_swap. Qed.
