Proof. intros P Q [p q]. split. all: assumption. Qed.
