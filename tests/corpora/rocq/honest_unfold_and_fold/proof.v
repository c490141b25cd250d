Proof.
  intro t. unfold size. fold size. induction t as [|l IHl n r IHr].
  - cbn [size mirror]. reflexivity.
  - cbn. rewrite IHl, IHr. lia.
Qed.
