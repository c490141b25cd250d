Proof.
  induction t as [|l IHl n r IHr].
  - compute. reflexivity.
  - cbn [mirror]. rewrite IHl. simpl in *. destruct l; simpl in *; rewrite IHr; reflexivity.
Qed.
