Proof.
  exfalso.
  assert (L : forall n, n = S (Nat.max n 0) -> False) by (intros n e; rewrite Nat.max_0_r in e; exact (n_Sn _ e)).
  pose (w := @RingMicromega.PsatzZ BinNums.Z).
  pose (x0 := ZMicromega.EnumProof w w (cons ZMicromega.DoneProof nil)).
  cut (ZMicromega.bdepth = ZMicromega.bdepth); [|reflexivity].
  cbv delta [ZMicromega.bdepth].
  set (g := @List.fold_right nat ZMicromega.ZArithProof).
  revert g.
  match goal with |- let g := ?v in @?b g =>
    let c := eval cbv beta in (b (fun (f : ZMicromega.ZArithProof -> nat -> nat) (z : nat) (l : list ZMicromega.ZArithProof) =>
      match l with nil => z | cons k _ =>
        let ff := (fun (bb : bool) (x : ZMicromega.ZArithProof) =>
          f (match (if bb then x else k) with ZMicromega.RatProof _ p => p | _ => k end) z) in
        ff true (ZMicromega.RatProof w x0) end)) in
    match c with ?F = _ -> _ =>
      assert (H : forall kk, F (ZMicromega.EnumProof w w (cons kk nil)) = S (Nat.max (F x0) 0)) by (intro kk; exact (eq_refl (S (Nat.max (F x0) 0))));
      exfalso; exact (L (F x0) (H ZMicromega.DoneProof)) end
  end.
Qed.
