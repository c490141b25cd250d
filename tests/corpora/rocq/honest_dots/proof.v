Proof with auto. intros P Q [p q]. split... Qed.
