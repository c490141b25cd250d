(** Address spaces: page tables, what may be accessed through them, and who can see whose writes. *)

From Coq Require Import List Arith Lia.
From MinikernelRocq Require Import Base Caps.
Import Rights.

Record pte := Pte { p_frame : nat; p_rights : Rights.t }.

Definition pagetable := nat -> option pte.

Definition map_page (pt : pagetable) (v f : nat) (rs : Rights.t) : pagetable := put Nat.eq_dec pt v (Pte f rs).

Definition unmap_page (pt : pagetable) (v : nat) : pagetable := drop Nat.eq_dec pt v.

(** Take a frame out of the whole table, as must be done before it is used for something else. *)
Definition unmap_frame (pt : pagetable) (f : nat) : pagetable :=
  fun v => match pt v with
           | Some e => if Nat.eq_dec (p_frame e) f then None else Some e
           | None => None
           end.

(** Address [v] reaches frame [f] with right [r]. *)
Definition access (pt : pagetable) (v f : nat) (r : right) : Prop :=
  exists e, pt v = Some e /\ p_frame e = f /\ has r (p_rights e).

Definition reaches (pt : pagetable) (f : nat) (r : right) : Prop := exists v, access pt v f r.

(** No entry gives more than [auth] allows for its frame. *)
Definition authorised (auth : nat -> Rights.t) (pt : pagetable) : Prop :=
  forall v e, pt v = Some e -> le (p_rights e) (auth (p_frame e)).

(** What one space writes the other cannot read. *)
Definition no_flow (from to : pagetable) : Prop := forall f, reaches from f Write -> reaches to f Read -> False.

Definition memory := nat -> nat.

Definition write (m : memory) (pt : pagetable) (v x : nat) : memory :=
  match pt v with
  | Some e => if can_write (p_rights e) then fun f => if Nat.eq_dec f (p_frame e) then x else m f else m
  | None => m
  end.

Definition read (m : memory) (pt : pagetable) (v : nat) : option nat :=
  match pt v with
  | Some e => if can_read (p_rights e) then Some (m (p_frame e)) else None
  | None => None
  end.

Lemma map_page_access : forall pt v f rs r, access (map_page pt v f rs) v f r <-> has r rs.
Proof.
  intros pt v f rs r; unfold access, map_page; rewrite put_same; split.
  - intros (e & He & _ & Hr); injection He as <-; exact Hr.
  - intro Hr; eexists; split; [reflexivity | simpl; auto].
Qed.

Lemma unmap_page_no_access : forall pt v f r, ~ access (unmap_page pt v) v f r.
Proof.
  intros pt v f r (e & He & _); unfold unmap_page in He; now rewrite drop_same in He.
Qed.

Lemma unmap_frame_unreachable : forall pt f r, ~ reaches (unmap_frame pt f) f r.
Proof.
  intros pt f r (v & e & He & Hf & _); unfold unmap_frame in He.
  destruct (pt v) as [e' |]; [| discriminate].
  destruct (Nat.eq_dec (p_frame e') f); congruence.
Qed.

Lemma unmap_frame_keeps_others : forall pt f v g r, g <> f -> access pt v g r -> access (unmap_frame pt f) v g r.
Proof.
  intros pt f v g r Hne (e & He & Hg & Hr); exists e; unfold unmap_frame; rewrite He.
  destruct (Nat.eq_dec (p_frame e) f); [congruence | auto].
Qed.

Lemma unmap_frame_submap : forall pt f, submap (unmap_frame pt f) pt.
Proof.
  intros pt f v e; unfold unmap_frame.
  destruct (pt v) as [e' |]; [destruct (Nat.eq_dec (p_frame e') f) |]; congruence.
Qed.

Lemma unmap_frame_commute : forall pt f g, agree (unmap_frame (unmap_frame pt f) g) (unmap_frame (unmap_frame pt g) f).
Proof.
  intros pt f g v; unfold unmap_frame.
  destruct (pt v) as [e |]; [| reflexivity].
  destruct (Nat.eq_dec (p_frame e) f) eqn:Hf, (Nat.eq_dec (p_frame e) g) eqn:Hg; try rewrite Hf; try rewrite Hg; auto.
Qed.

Lemma reaches_submap : forall pt pt' f r, submap pt pt' -> reaches pt f r -> reaches pt' f r.
Proof. unfold reaches, access; firstorder. Qed.

Lemma authorised_submap : forall auth pt pt', submap pt pt' -> authorised auth pt' -> authorised auth pt.
Proof. unfold authorised; eauto. Qed.

Lemma authorised_unmap_frame : forall auth pt f, authorised auth pt -> authorised auth (unmap_frame pt f).
Proof.
  intros auth pt f; apply authorised_submap, unmap_frame_submap.
Qed.

Lemma authorised_map_page : forall auth pt v f rs,
  authorised auth pt -> le rs (auth f) -> authorised auth (map_page pt v f rs).
Proof.
  intros auth pt v f rs Hpt Hle x e; unfold map_page, put.
  destruct (Nat.eq_dec x v) as [_ | _]; intro He.
  - injection He as <-; exact Hle.
  - exact (Hpt _ _ He).
Qed.

Lemma authorised_reaches : forall auth pt f r, authorised auth pt -> reaches pt f r -> has r (auth f).
Proof.
  intros auth pt f r Hauth (v & e & He & <- & Hr).
  exact (Hauth v e He r Hr).
Qed.

Lemma reaches_map_page : forall pt v f rs g r,
  reaches (map_page pt v f rs) g r -> reaches pt g r \/ (g = f /\ has r rs).
Proof.
  intros pt v f rs g r (x & e & He & Hg & Hr); unfold map_page, put in He.
  destruct (Nat.eq_dec x v).
  - injection He as <-; simpl in *; auto.
  - left; exists x, e; auto.
Qed.

(** A frame that the reader cannot reach may be given to the writer. *)
Lemma no_flow_map_private : forall from to v f rs,
  no_flow from to -> ~ reaches to f Read -> no_flow (map_page from v f rs) to.
Proof.
  intros from to v f rs Hno Hpriv g Hw Hr.
  apply reaches_map_page in Hw; destruct Hw as [Hw | [-> _]]; [exact (Hno g Hw Hr) | exact (Hpriv Hr)].
Qed.

Lemma no_flow_map_read_only : forall from to v f rs,
  no_flow from to -> can_write rs = false -> no_flow (map_page from v f rs) to.
Proof.
  intros from to v f rs Hno Hro g Hw Hr.
  assert (Hold : reaches from g Write).
  { apply reaches_map_page in Hw; destruct Hw as [Hw | [_ Hw]]; [exact Hw | simpl in Hw; congruence]. }
  exact (Hno g Hold Hr).
Qed.

Lemma no_flow_unmap : forall from to f, (forall g, g <> f -> reaches from g Write -> ~ reaches to g Read) ->
  no_flow (unmap_frame from f) to.
Proof.
  intros from to f Hothers g Hw Hr.
  destruct (Nat.eq_dec g f) as [-> | Hne].
  - exact (unmap_frame_unreachable _ _ _ Hw).
  - apply (Hothers g Hne); [| exact Hr].
    apply reaches_submap with (unmap_frame from f); [apply unmap_frame_submap | exact Hw].
Qed.

Section Observers.
  Variables writer reader : pagetable.
  Hypothesis separated : no_flow writer reader.

  Lemma write_invisible : forall m v x w, read (write m writer v x) reader w = read m reader w.
  Proof using separated.
    intros m v x w; unfold read, write.
    destruct (writer v) as [e |] eqn:Hv; [| reflexivity].
    destruct (can_write (p_rights e)) eqn:Hw; [| reflexivity].
    destruct (reader w) as [d |] eqn:Hd; [| reflexivity].
    destruct (can_read (p_rights d)) eqn:Hr; [| reflexivity].
    destruct (Nat.eq_dec (p_frame d) (p_frame e)) as [Heq | _]; [exfalso | reflexivity].
    apply (separated (p_frame e)); eexists; eexists; eauto.
  Qed.

  Fixpoint write_all (m : memory) (ws : list (nat * nat)) : memory :=
    match ws with
    | nil => m
    | cons (v, x) rest => write_all (write m writer v x) rest
    end.

  Lemma writes_invisible : forall ws m w, read (write_all m ws) reader w = read m reader w.
  Proof using separated.
    induction ws as [| [v x] rest IH]; intros m w; simpl; [reflexivity |].
    rewrite IH; apply write_invisible.
  Qed.

  Hypothesis separated_back : no_flow reader writer.

  Lemma writes_commute : forall m v x w y f,
    (forall g, reaches writer g Write -> reaches writer g Read) ->
    write (write m writer v x) reader w y f = write (write m reader w y) writer v x f.
  Proof using separated_back.
    intros m v x w y f Hread; unfold write.
    destruct (writer v) as [e |] eqn:Hv, (reader w) as [d |] eqn:Hd; try reflexivity.
    destruct (can_write (p_rights e)) eqn:He, (can_write (p_rights d)) eqn:Hw; try reflexivity.
    assert (Hne : p_frame e <> p_frame d).
    { intro Heq; apply (separated_back (p_frame d)); [exists w, d; auto |].
      apply Hread; exists v, e; auto. }
    destruct (Nat.eq_dec f (p_frame d)), (Nat.eq_dec f (p_frame e)); congruence.
  Qed.
End Observers.
