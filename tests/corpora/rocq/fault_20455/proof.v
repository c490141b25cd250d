Proof.
assert (issue : forall n : nat, match n with 0 => False | S _ => True end -> False).
{ refine (fix issue (n : nat) {struct n} := match n with
  | 0 => fun h => h
  | S subn => fun h =>
    let f (b : bool) (e : b = true) (x : nat) (Hx : match x with 0 => False | S m => match m with 0 => False | S _ => True end end) :=
      let arg := (match (if b then x else subn) with 0 => subn | S subsubn => subsubn end) in issue arg _
    in f true eq_refl 5 I end).
  subst b. destruct x; cbn in Hx. - now exfalso. - assumption. }
destruct (issue 1 I).
Qed.
