Proof. intros P Q []; split; trivial. Qed.
