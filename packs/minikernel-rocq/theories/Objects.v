(** Kinds of kernel objects, and the untyped memory that they are carved from. *)

From Coq Require Import List Arith Lia.
Import ListNotations.

Inductive kind := KTcb | KCNode | KEndpoint | KNotification | KFrame | KPageTable | KUntyped.

Definition kind_dec (k l : kind) : {k = l} + {k <> l}.
Proof. decide equality. Defined.

(** Bytes [lo, lo + len) of memory. *)
Record range := Range { lo : nat; len : nat }.

Definition covers (r : range) (x : nat) : Prop := lo r <= x < lo r + len r.
Definition inside (r s : range) : Prop := forall x, covers r x -> covers s x.
Definition separate (r s : range) : Prop := forall x, covers r x -> ~ covers s x.

(** Untyped memory: [top - mark] bytes from [mark] on are still free. *)
Record untyped := Untyped { mark : nat; top : nat }.

Definition free_range (u : untyped) : range := Range (mark u) (top u - mark u).

(** Take [n] bytes off the front; fails when fewer are left. *)
Definition carve (n : nat) (u : untyped) : option (range * untyped) :=
  if le_lt_dec (mark u + n) (top u) then Some (Range (mark u) n, Untyped (mark u + n) (top u)) else None.

Fixpoint carve_list (sizes : list nat) (u : untyped) : option (list range * untyped) :=
  match sizes with
  | [] => Some ([], u)
  | n :: rest =>
      match carve n u with
      | None => None
      | Some (r, u') =>
          match carve_list rest u' with
          | None => None
          | Some (rs, u'') => Some (r :: rs, u'')
          end
      end
  end.

Lemma inside_trans : forall r s t, inside r s -> inside s t -> inside r t.
Proof. unfold inside; auto. Qed.

Lemma separate_sym : forall r s, separate r s -> separate s r.
Proof.
  unfold separate; intros r s H x Hs Hr; exact (H x Hr Hs).
Qed.

Lemma separate_inside : forall r s r' s', inside r' r -> inside s' s -> separate r s -> separate r' s'.
Proof.
  unfold inside, separate; firstorder.
Qed.

Lemma separate_bounds : forall r s, 0 < len r -> 0 < len s -> separate r s -> lo r + len r <= lo s \/ lo s + len s <= lo r.
Proof.
  intros r s Hr Hs Hsep.
  assert (Hmax : ~ (covers r (Nat.max (lo r) (lo s)) /\ covers s (Nat.max (lo r) (lo s)))).
  { intros [H1 H2]; exact (Hsep _ H1 H2). }
  unfold covers in Hmax; lia.
Qed.

Lemma carve_inside : forall n u r u', carve n u = Some (r, u') -> inside r (free_range u).
Proof.
  unfold carve; intros n u r u' H x Hx.
  destruct (le_lt_dec (mark u + n) (top u)); [| discriminate].
  injection H as <- <-; unfold covers in *; simpl in *; lia.
Qed.

Lemma carve_rest_inside : forall n u r u', carve n u = Some (r, u') -> inside (free_range u') (free_range u).
Proof.
  unfold carve; intros n u r u' H x Hx.
  destruct (le_lt_dec (mark u + n) (top u)) as [Hle | Hlt].
  - injection H as <- <-.
    unfold covers, free_range in *.
    simpl in *.
    lia.
  - discriminate H.
Qed.

Lemma carve_separate : forall n u r u', carve n u = Some (r, u') -> separate r (free_range u').
Proof.
  unfold carve, separate, covers, free_range; intros n u r u' H x Hr.
  destruct (le_lt_dec (mark u + n) (top u)); [| discriminate].
  injection H as <- <-; simpl in *; lia.
Qed.

Lemma carve_succeeds_iff : forall n u, (exists r u', carve n u = Some (r, u')) <-> mark u + n <= top u.
Proof.
  intros n u; unfold carve; destruct (le_lt_dec (mark u + n) (top u)) as [Hle | Hlt].
  - split; eauto.
  - split; [intros (r & u' & H); discriminate | lia].
Qed.

Lemma carve_twice_separate : forall a b u r s u1 u2,
  carve a u = Some (r, u1) -> carve b u1 = Some (s, u2) -> separate r s.
Proof.
  intros a b u r s u1 u2 Hr Hs.
  assert (Hrest : separate r (free_range u1)) by (eapply carve_separate; eassumption).
  assert (Hin : inside s (free_range u1)) by (eapply carve_inside; eassumption).
  intros x Hx Hy; exact (Hrest x Hx (Hin x Hy)).
Qed.

Lemma carve_list_inside : forall sizes u rs u',
  carve_list sizes u = Some (rs, u') -> forall r, In r rs -> inside r (free_range u).
Proof.
  induction sizes as [| n rest IH]; simpl; intros u rs u' H r Hin.
  - injection H as <- <-; destruct Hin.
  - destruct (carve n u) as [[r1 u1] |] eqn:Hc; [| discriminate].
    destruct (carve_list rest u1) as [[rs1 u2] |] eqn:Hl; [| discriminate].
    injection H as <- <-.
    destruct Hin as [<- | Hin].
    + exact (carve_inside _ _ _ _ Hc).
    + apply inside_trans with (free_range u1).
      * exact (IH _ _ _ Hl _ Hin).
      * exact (carve_rest_inside _ _ _ _ Hc).
Qed.

(** Objects carved in one go never share a byte. *)
Lemma carve_list_pairwise : forall sizes u rs u',
  carve_list sizes u = Some (rs, u') -> ForallOrdPairs separate rs.
Proof.
  induction sizes as [| n rest IH]; simpl; intros u rs u' H.
  - injection H as <- <-; constructor.
  - destruct (carve n u) as [[r1 u1] |] eqn:Hc; [| discriminate].
    destruct (carve_list rest u1) as [[rs1 u2] |] eqn:Hl; [| discriminate].
    injection H as <- <-.
    constructor; [| exact (IH _ _ _ Hl)].
    apply Forall_forall; intros s Hs.
    apply separate_inside with r1 (free_range u1).
    + exact (fun x Hx => Hx).
    + exact (carve_list_inside _ _ _ _ Hl _ Hs).
    + exact (carve_separate _ _ _ _ Hc).
Qed.

Lemma carve_list_total : forall sizes u rs u',
  carve_list sizes u = Some (rs, u') -> mark u' = mark u + list_sum sizes.
Proof.
  induction sizes as [| n rest IH]; simpl; intros u rs u' H.
  - injection H as _ <-; lia.
  - assert (Hstep : forall r1 u1, carve n u = Some (r1, u1) -> mark u1 = mark u + n).
    { unfold carve; intros r1 u1 Hc; destruct (le_lt_dec (mark u + n) (top u)); now inversion Hc. }
    destruct (carve n u) as [[r1 u1] |]; [| discriminate].
    destruct (carve_list rest u1) as [[rs1 u2] |] eqn:Hl; [| discriminate].
    injection H as _ <-.
    rewrite (IH _ _ _ Hl), (Hstep r1 u1 eq_refl); lia.
Qed.
