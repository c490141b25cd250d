(** The kernel state and the invariants that make it a sane one. *)

From Coq Require Import List Arith Lia.
From MinikernelRocq Require Import Base Objects Caps CSpace VSpace.
Import ListNotations.

Inductive thread_state := Running | WaitSend (e : nat) | WaitRecv (e : nat).

Record tcb := Tcb { t_state : thread_state; t_bound : option nat; t_message : nat }.

Inductive obj :=
| OTcb (t : tcb)
| OCNode (n : cnode)
| OEndpoint (senders receivers : list nat)
| ONotification (word : nat) (bound : option nat)
| OFrame
| OPageTable (pt : pagetable)
| OUntyped (u : untyped).

Definition obj_kind (o : obj) : kind :=
  match o with
  | OTcb _ => KTcb
  | OCNode _ => KCNode
  | OEndpoint _ _ => KEndpoint
  | ONotification _ _ => KNotification
  | OFrame => KFrame
  | OPageTable _ => KPageTable
  | OUntyped _ => KUntyped
  end.

(** Objects by name, capabilities by slot, and for each slot the slot that it was derived from. *)
Record state := State { objs : nat -> option obj; caps : slot -> option cap; parent : slot -> option slot }.

Definition set_obj (s : state) (o : nat) (x : obj) : state := State (put Nat.eq_dec (objs s) o x) (caps s) (parent s).

Definition kind_at (s : state) (o : nat) : option kind := option_map obj_kind (objs s o).

(** Every object keeps its kind; new ones may appear. *)
Definition keeps_kinds (s s' : state) : Prop := forall o k, kind_at s o = Some k -> kind_at s' o = Some k.

(** No capability dangles or names an object of another kind. *)
Definition inv_caps (s : state) : Prop := forall p c, caps s p = Some c -> kind_at s (c_obj c) = Some (c_kind c).

Definition valid_slot (s : state) (p : slot) : Prop :=
  exists n, objs s (fst p) = Some (OCNode n) /\ snd p < 2 ^ radix n.

Definition inv_slots (s : state) : Prop := forall p c, caps s p = Some c -> valid_slot s p.

Definition thread_bound (s : state) (t n : nat) : Prop := exists x, objs s t = Some (OTcb x) /\ t_bound x = Some n.

Definition notification_bound (s : state) (n t : nat) : Prop := exists w, objs s n = Some (ONotification w (Some t)).

(** Binding is known to both sides. *)
Definition inv_bound (s : state) : Prop := forall t n, thread_bound s t n <-> notification_bound s n t.

(** Page tables map nothing but frames. *)
Definition inv_pages (s : state) : Prop := forall o pt v e,
  objs s o = Some (OPageTable pt) -> pt v = Some e -> kind_at s (p_frame e) = Some KFrame.

(** A child is either below its parent, or was made from untyped memory. *)
Definition child_ok (c d : cap) : Prop := cap_le c d \/ c_kind d = KUntyped.

Definition inv_parent (s : state) : Prop := forall p q, parent s p = Some q ->
  exists c d, caps s p = Some c /\ caps s q = Some d /\ child_ok c d.

Inductive descendant (s : state) : slot -> slot -> Prop :=
| descendant_child : forall p q, parent s p = Some q -> descendant s p q
| descendant_deeper : forall p q r, parent s p = Some q -> descendant s q r -> descendant s p r.

(** The derivation forest has no cycle: some rank falls towards the roots. *)
Definition inv_forest (s : state) : Prop := exists rank : slot -> nat, forall p q, parent s p = Some q -> rank q < rank p.

(** An endpoint lists exactly the threads that wait at it, and never senders and receivers at once. *)
Definition inv_queues (s : state) : Prop := forall e ss rs, objs s e = Some (OEndpoint ss rs) ->
  (ss = [] \/ rs = []) /\ NoDup ss /\ NoDup rs
  /\ (forall t, In t ss <-> exists x, objs s t = Some (OTcb x) /\ t_state x = WaitSend e)
  /\ (forall t, In t rs <-> exists x, objs s t = Some (OTcb x) /\ t_state x = WaitRecv e).

Lemma child_ok_trans : forall c d e, child_ok c d -> child_ok d e -> child_ok c e.
Proof.
  unfold child_ok; intros c d e [Hcd | Hk] [Hde | He]; auto.
  - left; exact (cap_le_trans _ _ _ Hcd Hde).
  - right; destruct Hde as [Hkind _]; congruence.
Qed.

Lemma keeps_kinds_trans : forall s s' s'', keeps_kinds s s' -> keeps_kinds s' s'' -> keeps_kinds s s''.
Proof. unfold keeps_kinds; auto. Qed.

Lemma set_obj_keeps_kinds : forall s o x y,
  objs s o = Some x -> obj_kind y = obj_kind x -> keeps_kinds s (set_obj s o y).
Proof.
  intros s o x y Hx Hk a k; unfold kind_at, set_obj, put; simpl.
  destruct (Nat.eq_dec a o) as [-> |]; [| trivial].
  rewrite Hx; simpl; congruence.
Qed.

Lemma set_obj_fresh_keeps_kinds : forall s o x, objs s o = None -> keeps_kinds s (set_obj s o x).
Proof.
  intros s o x Hfree a k; unfold kind_at, set_obj, put; simpl.
  destruct (Nat.eq_dec a o) as [-> |]; [rewrite Hfree; discriminate | trivial].
Qed.

Lemma inv_caps_mono : forall s s', keeps_kinds s s' -> submap (caps s') (caps s) -> inv_caps s -> inv_caps s'.
Proof.
  intros s s' Hk Hsub Hinv p c Hc; apply Hk, (Hinv p), Hsub, Hc.
Qed.

Lemma inv_slots_mono : forall s s',
  (forall p, valid_slot s p -> valid_slot s' p) -> submap (caps s') (caps s) -> inv_slots s -> inv_slots s'.
Proof. unfold inv_slots, submap; eauto. Qed.

Lemma valid_slot_set_obj : forall s o x y p,
  objs s o = Some x -> obj_kind x <> KCNode -> valid_slot s p -> valid_slot (set_obj s o y) p.
Proof.
  intros s o x y p Hx Hk (n & Hn & Hlt); exists n; split; [| exact Hlt].
  unfold set_obj, put; simpl.
  destruct (Nat.eq_dec (fst p) o) as [He |]; [| exact Hn].
  rewrite He, Hx in Hn; injection Hn as ->; simpl in Hk; congruence.
Qed.

(** In a sane state looking up an address gives a slot that exists. *)
Lemma lookup_valid : forall s fuel root addr p,
  resolve (fun o => match objs s o with Some (OCNode n) => Some n | _ => None end) (caps s) fuel root addr = Some p ->
  valid_slot s p.
Proof.
  intros s fuel root addr p H.
  apply resolve_sound, walks_slot_valid in H.
  destruct H as (cn & Hn & Hlt); exists cn; split; [| exact Hlt].
  destruct (objs s (fst p)) as [[] |]; congruence.
Qed.

Lemma thread_bound_unique : forall s t u n, inv_bound s -> thread_bound s t n -> thread_bound s u n -> t = u.
Proof.
  intros s t u n Hinv Ht Hu.
  assert (Hnt : notification_bound s n t) by (apply Hinv; exact Ht).
  assert (Hnu : notification_bound s n u) by (apply Hinv; exact Hu).
  destruct Hnt as [w Hw], Hnu as [w' Hw']; congruence.
Qed.

Lemma descendant_trans : forall s p q r, descendant s p q -> descendant s q r -> descendant s p r.
Proof.
  intros s p q r H; induction H; intros; eauto using descendant.
Qed.

Lemma descendant_rank : forall s rank p q,
  (forall a b, parent s a = Some b -> rank b < rank a) -> descendant s p q -> rank q < rank p.
Proof.
  intros s rank p q Hrank H; induction H as [p q H | p q r H _ IH].
  - exact (Hrank _ _ H).
  - specialize (Hrank _ _ H); lia.
Qed.

Lemma descendant_irreflexive : forall s p, inv_forest s -> ~ descendant s p p.
Proof.
  intros s p [rank Hrank] H.
  pose proof (descendant_rank s rank p p Hrank H); lia.
Qed.

(** Authority only shrinks down the derivation forest, however deep. *)
Lemma descendant_child_ok : forall s p q, inv_parent s -> descendant s p q ->
  exists c d, caps s p = Some c /\ caps s q = Some d /\ child_ok c d.
Proof.
  intros s p q Hinv H; induction H as [p q H | p q r H _ IH]; [exact (Hinv _ _ H) |].
  destruct (Hinv _ _ H) as (c & d & Hc & Hd & Hcd).
  destruct IH as (d' & e & Hd' & He & Hde).
  exists c, e.
  split; [exact Hc |].
  split; [exact He |].
  apply child_ok_trans with d; [exact Hcd | congruence].
Qed.

Lemma descendant_same_object : forall s p q c d, inv_parent s -> descendant s p q ->
  caps s p = Some c -> caps s q = Some d -> c_kind d <> KUntyped -> c_obj c = c_obj d.
Proof.
  intros s p q c d Hinv H Hc Hd Hk.
  assert (Hboth : exists c' d', caps s p = Some c' /\ caps s q = Some d' /\ child_ok c' d').
  { exact (descendant_child_ok s p q Hinv H). }
  destruct Hboth as (c' & d' & Hc' & Hd' & Hok).
  assert (c' = c) by congruence; assert (d' = d) by congruence; subst.
  destruct Hok as [(_ & Ho & _) | Hu]; [exact Ho | contradiction].
Qed.

(** A thread waits at one endpoint at most. *)
Lemma waits_once : forall s e f ss rs ss' rs' t, inv_queues s ->
  objs s e = Some (OEndpoint ss rs) -> objs s f = Some (OEndpoint ss' rs') -> In t ss -> In t ss' -> e = f.
Proof.
  intros s e f ss rs ss' rs' t Hinv He Hf Hin Hin'.
  destruct (Hinv _ _ _ He) as (_ & _ & _ & Hs & _).
  destruct (Hinv _ _ _ Hf) as (_ & _ & _ & Hs' & _).
  apply Hs in Hin; destruct Hin as (x & Hx & Hwx).
  apply Hs' in Hin'; destruct Hin' as (y & Hy & Hwy).
  rewrite Hx in Hy; injection Hy as <-.
  congruence.
Qed.
