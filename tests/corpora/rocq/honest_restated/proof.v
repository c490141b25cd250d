Lemma conj_swap : forall P Q : Prop, P /\ Q -> Q /\ P.
Proof. intros P Q [p q]; split; assumption. Qed.
