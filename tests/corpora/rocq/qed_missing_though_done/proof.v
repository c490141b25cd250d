Proof. intros P Q [p q]. split; assumption.
