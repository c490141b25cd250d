Proof. intros P Q [p q]. split; abstract assumption. Qed.
