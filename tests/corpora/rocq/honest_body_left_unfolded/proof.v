Proof.
  intro t. unfold size. induction t as [|l IHl n r IHr].
  - reflexivity.
  - fold size in *. simpl. lia.
Qed.
