Proof.
  exfalso.
  pose (g := fun n : nat => n).
  let r := eval cbv delta [Nat.add] in Nat.add in
  match r with context ᷀C [ S ] => let y := context ᷀C [ g ] in pose (z := y) end.
  auto.
Qed.
