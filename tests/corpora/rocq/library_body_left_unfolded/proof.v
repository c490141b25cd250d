Proof.
  intro n. unfold Nat.mul. destruct n as [|n]; [auto | fold Nat.mul; fold (Nat.mul n (S n)); simpl; lia].
Qed.
