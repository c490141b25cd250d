Proof.
  let r := eval cbv delta [Fix_F] in @Fix_F in
  match r with context C [ @Acc_inv ] => let y := context C [ @Acc_inv ] in pose (g := y) end.
  intros; auto.
Qed.
