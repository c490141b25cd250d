Proof. induction t; simpl; [reflexivity | now rewrite IHt1, IHt2]. Qed.
