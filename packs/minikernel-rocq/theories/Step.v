(** What the kernel does: operations on the state, and the step relation that says when they may happen. *)

From Coq Require Import List Arith Lia.
From MinikernelRocq Require Import Base Objects Caps CSpace VSpace State.
Import ListNotations.
Import Rights.

Definition free_slot (s : state) (p : slot) : Prop := valid_slot s p /\ caps s p = None.

(** Put [c] into [dst] as a child of [src]. *)
Definition insert (s : state) (src dst : slot) (c : cap) : state :=
  State (objs s) (put slot_dec (caps s) dst c) (put slot_dec (parent s) dst src).

(** Empty [p]; its children go to its parent. *)
Definition delete (s : state) (p : slot) : state :=
  State (objs s) (drop slot_dec (caps s) p)
    (fun x => if slot_dec x p then None
              else match parent s x with
                   | Some y => if slot_dec y p then parent s p else Some y
                   | None => None
                   end).

Fixpoint delete_all (s : state) (ps : list slot) : state :=
  match ps with
  | [] => s
  | p :: rest => delete (delete_all s rest) p
  end.

Definition new_object (k : kind) : obj :=
  match k with
  | KTcb => OTcb (Tcb Running None 0)
  | KCNode => OCNode (Node [] 4)
  | KEndpoint => OEndpoint [] []
  | KNotification => ONotification 0 None
  | KFrame => OFrame
  | KPageTable => OPageTable nothing
  | KUntyped => OUntyped (Untyped 0 0)
  end.

Definition set_state (x : tcb) (ts : thread_state) : tcb := Tcb ts (t_bound x) (t_message x).

Inductive op :=
| Copy (src dst : slot)
| Mint (src dst : slot) (mask : Rights.t) (badge : nat)
| Delete (p : slot)
| Revoke (p : slot)
| Retype (ut dst : slot) (new : nat) (k : kind) (size : nat)
| MapPage (pt fr : slot) (v : nat) (rs : Rights.t)
| UnmapPage (pt : slot) (v : nat)
| Send (t : nat) (ep : slot) (m : nat)
| Bind (tc nc : slot)
| Unbind (tc : slot).

Inductive step (s : state) : op -> state -> Prop :=
| step_copy : forall src dst c,
    caps s src = Some c -> free_slot s dst ->
    step s (Copy src dst) (insert s src dst c)
| step_mint : forall src dst mask badge c,
    caps s src = Some c -> free_slot s dst -> badgeable c ->
    step s (Mint src dst mask badge) (insert s src dst (with_badge badge (diminish mask c)))
| step_delete : forall p c,
    caps s p = Some c ->
    step s (Delete p) (delete s p)
| step_revoke : forall p ps,
    (forall q, In q ps <-> descendant s q p) ->
    step s (Revoke p) (delete_all s ps)
| step_retype : forall ut dst new k size c u r u',
    caps s ut = Some c -> c_kind c = KUntyped -> objs s (c_obj c) = Some (OUntyped u) ->
    carve size u = Some (r, u') -> free_slot s dst -> objs s new = None ->
    step s (Retype ut dst new k size)
      (insert (set_obj (set_obj s (c_obj c) (OUntyped u')) new (new_object k)) ut dst (Cap k new all 0))
| step_map : forall ptc frc v rs c d pt,
    caps s ptc = Some c -> c_kind c = KPageTable -> objs s (c_obj c) = Some (OPageTable pt) ->
    caps s frc = Some d -> c_kind d = KFrame ->
    step s (MapPage ptc frc v rs)
      (set_obj s (c_obj c) (OPageTable (map_page pt v (c_obj d) (meet (c_rights d) rs))))
| step_unmap : forall ptc v c pt,
    caps s ptc = Some c -> c_kind c = KPageTable -> objs s (c_obj c) = Some (OPageTable pt) ->
    step s (UnmapPage ptc v) (set_obj s (c_obj c) (OPageTable (unmap_page pt v)))
| step_send_wait : forall t ep m c x ss,
    caps s ep = Some c -> c_kind c = KEndpoint -> has Write (c_rights c) ->
    objs s t = Some (OTcb x) -> t_state x = Running ->
    objs s (c_obj c) = Some (OEndpoint ss []) ->
    step s (Send t ep m)
      (set_obj (set_obj s (c_obj c) (OEndpoint (ss ++ [t]) [])) t
         (OTcb (Tcb (WaitSend (c_obj c)) (t_bound x) m)))
| step_send_deliver : forall t ep m c x y r rs,
    caps s ep = Some c -> c_kind c = KEndpoint -> has Write (c_rights c) ->
    objs s t = Some (OTcb x) -> t_state x = Running ->
    objs s (c_obj c) = Some (OEndpoint [] (r :: rs)) -> objs s r = Some (OTcb y) ->
    step s (Send t ep m)
      (set_obj (set_obj s (c_obj c) (OEndpoint [] rs)) r (OTcb (Tcb Running (t_bound y) m)))
| step_bind : forall tc nc c d x w,
    caps s tc = Some c -> c_kind c = KTcb -> objs s (c_obj c) = Some (OTcb x) -> t_bound x = None ->
    caps s nc = Some d -> c_kind d = KNotification -> objs s (c_obj d) = Some (ONotification w None) ->
    has Read (c_rights d) ->
    step s (Bind tc nc)
      (set_obj (set_obj s (c_obj c) (OTcb (Tcb (t_state x) (Some (c_obj d)) (t_message x))))
         (c_obj d) (ONotification w (Some (c_obj c))))
| step_unbind : forall tc c x n w,
    caps s tc = Some c -> c_kind c = KTcb -> objs s (c_obj c) = Some (OTcb x) -> t_bound x = Some n ->
    objs s n = Some (ONotification w (Some (c_obj c))) ->
    step s (Unbind tc)
      (set_obj (set_obj s (c_obj c) (OTcb (Tcb (t_state x) None (t_message x)))) n (ONotification w None)).

Inductive steps : state -> list op -> state -> Prop :=
| steps_none : forall s, steps s [] s
| steps_more : forall s o s' os s'', step s o s' -> steps s' os s'' -> steps s (o :: os) s''.

Lemma new_object_kind : forall k, obj_kind (new_object k) = k.
Proof. now intros []. Qed.

Lemma insert_same_kind : forall s src dst c o, kind_at (insert s src dst c) o = kind_at s o.
Proof. reflexivity. Qed.

Lemma delete_empties : forall s p, caps (delete s p) p = None.
Proof.
  intros s p; apply drop_same.
Qed.

Lemma delete_no_orphans : forall s p q, parent s p <> Some p -> parent (delete s p) q <> Some p.
Proof.
  intros s p q Hroot; simpl.
  destruct (slot_dec q p); [discriminate |].
  destruct (parent s q) as [y |]; [| discriminate].
  destruct (slot_dec y p); congruence.
Qed.

Lemma delete_all_objs : forall ps s, objs (delete_all s ps) = objs s.
Proof. induction ps; simpl; auto. Qed.

Lemma delete_all_caps : forall ps s, caps (delete_all s ps) = drop_all slot_dec (caps s) ps.
Proof.
  induction ps as [| p rest IH]; intros s; simpl; [reflexivity | now rewrite IH].
Qed.

Lemma delete_all_caps_submap : forall s ps, submap (caps (delete_all s ps)) (caps s).
Proof.
  intros s ps; rewrite delete_all_caps; apply drop_all_submap.
Qed.

(** After a revocation no derived capability is left. *)
Lemma revoke_clears : forall s p s' q, step s (Revoke p) s' -> descendant s q p -> caps s' q = None.
Proof.
  intros s p s' q H Hd; inversion H; subst.
  rewrite delete_all_caps; apply drop_all_in; firstorder.
Qed.

(** It touches nothing else, and not the revoked capability itself. *)
Lemma revoke_spares_others : forall s p s' q, step s (Revoke p) s' -> ~ descendant s q p -> caps s' q = caps s q.
Proof.
  intros s p s' q H Hd; inversion H; subst.
  rewrite delete_all_caps; apply drop_all_not_in; firstorder.
Qed.

Lemma revoke_spares_itself : forall s p s', inv_forest s -> step s (Revoke p) s' -> caps s' p = caps s p.
Proof.
  intros s p s' Hf H; apply (revoke_spares_others s p s' p H).
  now apply descendant_irreflexive.
Qed.

(** The cap operations leave all objects as they are. *)
Lemma mint_keeps_objects : forall s src dst mask badge s', step s (Mint src dst mask badge) s' -> objs s' = objs s.
Proof. intros s src dst mask badge s' H; inversion H; reflexivity. Qed.

Lemma mint_below_source : forall s src dst mask badge s', step s (Mint src dst mask badge) s' ->
  exists c d, caps s src = Some c /\ caps s' dst = Some d /\ cap_le d c.
Proof.
  intros s src dst mask badge s' H; inversion H as [| ? ? ? ? c Hc Hf Hb | | | | | | | | |]; subst.
  exists c, (with_badge badge (diminish mask c)).
  split; [exact Hc |].
  split; [simpl; apply put_same |].
  repeat split; simpl; auto.
  - apply meet_lower.
  - left; apply Hb.
Qed.

Lemma mint_exact : forall s src dst mask badge s' c, step s (Mint src dst mask badge) s' ->
  caps s src = Some c -> caps s' dst = Some (with_badge badge (diminish mask c)).
Proof.
  intros s src dst mask badge s' c H Hc; inversion H; subst; simpl.
  rewrite put_same; congruence.
Qed.

(** Page rights never exceed those of the capability used for mapping. *)
Lemma map_within_frame_rights : forall s ptc frc v rs s' d r o pt,
  step s (MapPage ptc frc v rs) s' -> caps s frc = Some d ->
  (exists c, caps s ptc = Some c /\ c_obj c = o) -> objs s' o = Some (OPageTable pt) ->
  access pt v (c_obj d) r -> has r (c_rights d).
Proof.
  intros s ptc frc v rs s' d r o pt H Hd (c & Hc & <-) Hpt Hacc; inversion H; subst.
  simpl in Hpt.
  assert (Hcc : c0 = c) by congruence; assert (Hdd : d0 = d) by congruence; subst.
  rewrite put_same in Hpt.
  injection Hpt as <-.
  apply map_page_access in Hacc.
  apply has_meet in Hacc; tauto.
Qed.

Lemma steps_app : forall s os s' os' s'', steps s os s' -> steps s' os' s'' -> steps s (os ++ os') s''.
Proof.
  intros s os s' os' s'' H; induction H; simpl; intros; [assumption |].
  econstructor; eauto.
Qed.

Lemma steps_split : forall os os' s s'', steps s (os ++ os') s'' -> exists s', steps s os s' /\ steps s' os' s''.
Proof.
  induction os as [| o os IH]; simpl; intros os' s s'' H.
  - exists s; split; [constructor | exact H].
  - inversion H as [| ? ? s1 ? ? H1 Hrest]; subst.
    destruct (IH _ _ _ Hrest) as (s' & Ha & Hb).
    exists s'; split; [| exact Hb].
    econstructor; eauto.
Qed.
