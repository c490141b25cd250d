Proof.
  intro n.
  let r := eval cbv delta [Nat.add] in Nat.add in
  refine (match (ex_intro (fun x => x = r 0 0) 0 eq_refl : ex (fun x => x = 0)) with ex_intro _ x p => _ end).
  destruct n; simpl; lia.
Qed.
