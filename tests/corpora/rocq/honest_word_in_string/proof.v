Proof. idtac "admit fix Axiom. Qed."; intros P Q [p q]; split; assumption. Qed.
