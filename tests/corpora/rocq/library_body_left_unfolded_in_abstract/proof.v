Proof.
  intro n. abstract (unfold Nat.mul; destruct n as [|n]; [auto | fold Nat.mul; fold (Nat.mul n (S n)); simpl; lia]).
Defined.
