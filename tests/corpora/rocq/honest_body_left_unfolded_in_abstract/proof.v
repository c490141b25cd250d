Proof.
  intro t. abstract (unfold size; induction t as [|l IHl n r IHr]; [reflexivity | fold size in *; simpl; lia]).
Qed.
