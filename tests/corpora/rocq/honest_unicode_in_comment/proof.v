Proof. (* ∀ P Q, é « . » *) intros P Q [p q]. (* Admitted. fix *) split; assumption. Qed.
