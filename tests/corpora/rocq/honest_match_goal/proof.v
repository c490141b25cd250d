Proof. intros. match goal with H : _ /\ _ |- _ => destruct H end. split; assumption. Qed.
