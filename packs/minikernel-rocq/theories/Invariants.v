(** What no sequence of operations can break: sanity of the state, confinement of authority, integrity. *)

From Coq Require Import List Arith Lia.
From MinikernelRocq Require Import Base Objects Caps CSpace VSpace State Step.
Import ListNotations.
Import Rights.

Lemma insert_inv_caps : forall s src dst c,
  inv_caps s -> kind_at s (c_obj c) = Some (c_kind c) -> inv_caps (insert s src dst c).
Proof.
  intros s src dst c Hinv Hc p d; simpl; unfold put.
  destruct (slot_dec p dst) as [-> | _].
  - intro H; injection H as <-; exact Hc.
  - intro H; exact (Hinv p d H).
Qed.

Lemma delete_inv_caps : forall s p, inv_caps s -> inv_caps (delete s p).
Proof.
  intros s p; apply inv_caps_mono; [intros o k H; exact H | apply submap_drop].
Qed.

Lemma insert_inv_slots : forall s src dst c, inv_slots s -> valid_slot s dst -> inv_slots (insert s src dst c).
Proof.
  intros s src dst c Hinv Hdst p d; simpl; unfold put.
  destruct (slot_dec p dst) as [-> |]; intro H; [exact Hdst | exact (Hinv p d H)].
Qed.

Lemma insert_inv_parent : forall s src dst c d,
  inv_parent s -> caps s dst = None -> caps s src = Some d -> child_ok c d -> inv_parent (insert s src dst c).
Proof.
  intros s src dst c d Hinv Hfree Hsrc Hok p q; simpl; unfold put.
  assert (Hne : src <> dst) by congruence.
  destruct (slot_dec p dst) as [-> | Hp]; intro H.
  - injection H as <-.
    exists c, d; destruct (slot_dec dst dst), (slot_dec src dst); tauto.
  - destruct (Hinv _ _ H) as (a & b & Ha & Hb & Hab).
    assert (Hq : q <> dst) by congruence.
    exists a, b; destruct (slot_dec p dst), (slot_dec q dst); tauto.
Qed.

(** Orphans of a deleted capability are adopted by its parent, and the order of authority survives. *)
Lemma delete_inv_parent : forall s p, inv_parent s -> inv_forest s -> inv_parent (delete s p).
Proof.
  intros s p Hinv [rank Hrank] a b; simpl; unfold drop.
  assert (Hself : forall x, parent s x <> Some x) by (intros x Hx; specialize (Hrank _ _ Hx); lia).
  destruct (slot_dec a p) as [_ | Ha]; [discriminate |].
  destruct (parent s a) as [y |] eqn:Hy; [| discriminate].
  destruct (Hinv _ _ Hy) as (c & d & Hc & Hd & Hcd).
  destruct (slot_dec y p) as [-> | Hyp]; intro H.
  - destruct (Hinv _ _ H) as (d' & e & Hd' & He & Hde).
    assert (Hb : b <> p) by (intro; subst; exact (Hself p H)).
    exists c, e; destruct (slot_dec b p); [contradiction |].
    repeat split; auto; apply child_ok_trans with d; [exact Hcd | congruence].
  - injection H as <-.
    exists c, d; destruct (slot_dec y p); tauto.
Qed.

Lemma delete_inv_forest : forall s p, inv_forest s -> inv_forest (delete s p).
Proof.
  intros s p [rank Hrank]; exists rank; intros a b; simpl.
  destruct (slot_dec a p); [discriminate |].
  destruct (parent s a) as [y |] eqn:Hy; [| discriminate].
  apply Hrank in Hy.
  destruct (slot_dec y p) as [-> |]; intro H.
  - apply Hrank in H; lia.
  - injection H as <-; exact Hy.
Qed.

(** A new leaf closes no cycle. *)
Lemma insert_inv_forest : forall s src dst c,
  inv_parent s -> inv_forest s -> caps s dst = None -> src <> dst -> inv_forest (insert s src dst c).
Proof.
  intros s src dst c Hpar [rank Hrank] Hfree Hne.
  assert (Hleaf : forall a, parent s a <> Some dst).
  { intros a Ha; destruct (Hpar _ _ Ha) as (? & d & _ & Hd & _); congruence. }
  exists (fun x => if slot_dec x dst then S (rank src) else rank x).
  intros p q; simpl; unfold put.
  destruct (slot_dec p dst) as [-> | Hp]; intro H.
  - injection H as <-; destruct (slot_dec src dst); [contradiction | lia].
  - destruct (slot_dec q dst) as [-> |]; [exfalso; exact (Hleaf p H) | exact (Hrank _ _ H)].
Qed.

Lemma delete_all_inv_forest : forall ps s, inv_forest s -> inv_forest (delete_all s ps).
Proof.
  induction ps as [| p rest IH]; simpl; auto using delete_inv_forest.
Qed.

Lemma delete_all_inv_parent : forall ps s, inv_parent s -> inv_forest s -> inv_parent (delete_all s ps).
Proof.
  induction ps as [| p rest IH]; simpl; intros s Hp Hf; [exact Hp |].
  apply delete_inv_parent; [exact (IH s Hp Hf) | exact (delete_all_inv_forest rest s Hf)].
Qed.

Lemma step_keeps_kinds : forall s o s', step s o s' -> keeps_kinds s s'.
Proof.
  intros s o s' H.
  assert (Htwo : forall a x x' b y y', objs s a = Some x -> obj_kind x' = obj_kind x ->
            objs s b = Some y -> obj_kind y' = obj_kind y -> keeps_kinds s (set_obj (set_obj s a x') b y')).
  { intros a x x' b y y' Ha Hx Hb Hy n k; unfold kind_at, set_obj, put; simpl.
    destruct (Nat.eq_dec n b) as [-> |]; [rewrite Hb; simpl; congruence |].
    destruct (Nat.eq_dec n a) as [-> |]; [rewrite Ha; simpl; congruence | trivial]. }
  destruct H; try (intros n k Hn; exact Hn); try (eapply Htwo; eauto; fail).
  - intros n k'; unfold kind_at; now rewrite delete_all_objs.
  - intros n k' Hn; rewrite insert_same_kind; revert Hn; unfold kind_at, set_obj, put; simpl.
    destruct (Nat.eq_dec n new) as [-> |]; [rewrite H4; discriminate |].
    destruct (Nat.eq_dec n (c_obj c)) as [-> |]; [rewrite H1; simpl; congruence | trivial].
  - eapply set_obj_keeps_kinds; eauto.
  - eapply set_obj_keeps_kinds; eauto.
Qed.

Lemma steps_keep_kinds : forall s os s', steps s os s' -> keeps_kinds s s'.
Proof.
  induction 1 as [| s o s' os s'' H _ IH]; [now intros ? ? |].
  exact (keeps_kinds_trans _ _ _ (step_keeps_kinds _ _ _ H) IH).
Qed.

(** No operation leaves a dangling capability behind. *)
Lemma step_inv_caps : forall s o s', inv_caps s -> step s o s' -> inv_caps s'.
Proof.
  intros s o s' Hinv H; pose proof (step_keeps_kinds _ _ _ H) as Hk; destruct H;
    try (apply inv_caps_mono with s; [exact Hk | intros p' c' Hc'; exact Hc' | exact Hinv]).
  - apply insert_inv_caps; [exact Hinv | exact (Hinv _ _ H)].
  - apply insert_inv_caps; [exact Hinv | exact (Hinv _ _ H)].
  - exact (delete_inv_caps s p Hinv).
  - exact (inv_caps_mono _ _ Hk (delete_all_caps_submap s ps) Hinv).
  - apply insert_inv_caps.
    + intros p' c' Hc'; exact (Hk _ _ (Hinv _ _ Hc')).
    + unfold kind_at, set_obj; simpl.
      rewrite put_same; simpl.
      now rewrite new_object_kind.
Qed.

Lemma steps_inv_caps : forall s os s', steps s os s' -> inv_caps s -> inv_caps s'.
Proof. induction 1; eauto using step_inv_caps. Qed.

Lemma map_inv_pages : forall s o pt v f rs, inv_pages s ->
  objs s o = Some (OPageTable pt) -> kind_at s f = Some KFrame ->
  inv_pages (set_obj s o (OPageTable (map_page pt v f rs))).
Proof.
  intros s o pt v f rs Hinv Ho Hf a pt' x e Ha He.
  assert (Hkeep : keeps_kinds s (set_obj s o (OPageTable (map_page pt v f rs)))).
  { eapply set_obj_keeps_kinds; [exact Ho | reflexivity]. }
  apply Hkeep; revert Ha He; unfold set_obj, put; simpl.
  destruct (Nat.eq_dec a o) as [_ |]; intros Ha He; [| exact (Hinv _ _ _ _ Ha He)].
  injection Ha as <-; unfold map_page, put in He.
  destruct (Nat.eq_dec x v); [injection He as <-; exact Hf | exact (Hinv _ _ _ _ Ho He)].
Qed.

Lemma unmap_inv_pages : forall s o pt v, inv_pages s ->
  objs s o = Some (OPageTable pt) -> inv_pages (set_obj s o (OPageTable (unmap_page pt v))).
Proof.
  intros s o pt v Hinv Ho a pt' x e Ha He.
  apply (set_obj_keeps_kinds s o _ (OPageTable (unmap_page pt v)) Ho eq_refl).
  revert Ha He; unfold set_obj, put; simpl.
  destruct (Nat.eq_dec a o) as [_ |]; intros Ha He.
  - injection Ha as <-.
    apply submap_drop in He.
    exact (Hinv _ _ _ _ Ho He).
  - exact (Hinv _ _ _ _ Ha He).
Qed.

(** Binding a thread to a notification that has no thread yet keeps the two sides in step. *)
Lemma bind_inv_bound : forall s t n x x' w, inv_bound s ->
  objs s t = Some (OTcb x) -> t_bound x = None -> objs s n = Some (ONotification w None) -> t_bound x' = Some n ->
  inv_bound (set_obj (set_obj s t (OTcb x')) n (ONotification w (Some t))).
Proof.
  intros s t n x x' w Hinv Ht Hx Hn Hx' a b; unfold inv_bound in Hinv.
  assert (Hne : t <> n) by congruence.
  assert (Hthread : thread_bound (set_obj (set_obj s t (OTcb x')) n (ONotification w (Some t))) a b
                    <-> (a = t /\ b = n) \/ thread_bound s a b).
  { unfold thread_bound, set_obj, put; simpl.
    destruct (Nat.eq_dec a n) as [Ean |], (Nat.eq_dec a t) as [Eat |]; split; subst; try congruence.
    - intros (y & Hy & _); discriminate.
    - intros [[-> _] | (y & Hy & _)]; congruence.
    - intros (y & Hy & Hb); left; split; congruence.
    - intros [[_ ->] | (y & Hy & Hb)]; [exists x'; auto | congruence].
    - auto.
    - intros [[E _] | H]; [contradiction | exact H]. }
  assert (Hnote : notification_bound (set_obj (set_obj s t (OTcb x')) n (ONotification w (Some t))) b a
                  <-> (a = t /\ b = n) \/ notification_bound s b a).
  { unfold notification_bound, set_obj, put; simpl.
    destruct (Nat.eq_dec b n) as [Ebn |], (Nat.eq_dec b t) as [Ebt |]; split; subst; try congruence.
    - intros [v Hv]; left; split; congruence.
    - intros [[-> _] | [v Hv]]; [exists w; reflexivity | congruence].
    - intros [v Hv]; discriminate.
    - intros [[_ E] | [v Hv]]; congruence.
    - auto.
    - intros [[_ E] | H]; [contradiction | exact H]. }
  rewrite Hthread, Hnote, (Hinv a b); reflexivity.
Qed.

Definition waits (s : state) (t : nat) (ts : thread_state) : Prop :=
  exists x, objs s t = Some (OTcb x) /\ t_state x = ts.

Lemma waits_functional : forall s t a b, waits s t a -> waits s t b -> a = b.
Proof.
  intros s t a b (x & Hx & <-) (y & Hy & <-); congruence.
Qed.

Lemma wake_waits : forall s e r y ss rs ss' rs' m t ts,
  objs s e = Some (OEndpoint ss rs) -> objs s r = Some (OTcb y) ->
  waits (set_obj (set_obj s e (OEndpoint ss' rs')) r (OTcb (Tcb Running (t_bound y) m))) t ts
  <-> (t = r /\ ts = Running) \/ (t <> r /\ waits s t ts).
Proof.
  intros s e r y ss rs ss' rs' m t ts He Hr; unfold waits, set_obj, put; simpl.
  destruct (Nat.eq_dec t r) as [-> | Hr'].
  - split.
    + intros (x & Hx & Hs); injection Hx as <-; simpl in Hs; auto.
    + intros [[_ ->] | [H _]]; [eexists; split; [reflexivity |]; reflexivity | contradiction].
  - destruct (Nat.eq_dec t e) as [-> | He'].
    + split; [intros (x & Hx & _); discriminate |].
      intros [[H _] | [_ (x & Hx & _)]]; congruence.
    + split; [tauto | intros [[H _] | H]; tauto].
Qed.

(** Handing a message to the first waiting receiver keeps every queue exact. *)
Lemma deliver_inv_queues : forall s e r rs y m, inv_queues s ->
  objs s e = Some (OEndpoint [] (r :: rs)) -> objs s r = Some (OTcb y) ->
  inv_queues (set_obj (set_obj s e (OEndpoint [] rs)) r (OTcb (Tcb Running (t_bound y) m))).
Proof.
  intros s e r rs y m Hinv He Hr f ss' rs' Hf.
  destruct (Hinv _ _ _ He) as (_ & _ & Hnd & Hs & Hrs).
  assert (Hwait : waits s r (WaitRecv e)) by (apply Hrs; left; reflexivity).
  assert (Hout : ~ In r rs) by (inversion Hnd; assumption).
  assert (Hcase : (f = e /\ ss' = [] /\ rs' = rs) \/ (f <> e /\ objs s f = Some (OEndpoint ss' rs'))).
  { revert Hf; unfold set_obj, put; simpl.
    destruct (Nat.eq_dec f r); [discriminate |].
    destruct (Nat.eq_dec f e); intro Hf; [injection Hf as <- <- |]; auto. }
  destruct Hcase as [(-> & -> & ->) | [Hfe Hold]].
  - split; [left; reflexivity |].
    split; [constructor |].
    split; [inversion Hnd; assumption |].
    split; intro t; fold (waits (set_obj (set_obj s e (OEndpoint [] rs)) r (OTcb (Tcb Running (t_bound y) m))) t (WaitSend e));
      fold (waits (set_obj (set_obj s e (OEndpoint [] rs)) r (OTcb (Tcb Running (t_bound y) m))) t (WaitRecv e));
      rewrite (wake_waits _ _ _ _ _ _ _ _ _ _ _ He Hr).
    + rewrite (Hs t); fold (waits s t (WaitSend e)); split.
      * intro Hw; right; split; [intros -> | exact Hw].
        discriminate (waits_functional _ _ _ _ Hw Hwait).
      * intros [[_ H] | [_ H]]; [discriminate | exact H].
    + specialize (Hrs t); fold (waits s t (WaitRecv e)) in Hrs; simpl in Hrs; split.
      * intro Hin; right; split; [congruence | tauto].
      * intros [[_ H] | [Hne H]]; [discriminate | apply Hrs in H; destruct H; congruence].
  - destruct (Hinv _ _ _ Hold) as (H1 & H2 & H3 & H4 & H5).
    split; [exact H1 |].
    split; [exact H2 |].
    split; [exact H3 |].
    split; intro t; fold (waits (set_obj (set_obj s e (OEndpoint [] rs)) r (OTcb (Tcb Running (t_bound y) m))) t (WaitSend f));
      fold (waits (set_obj (set_obj s e (OEndpoint [] rs)) r (OTcb (Tcb Running (t_bound y) m))) t (WaitRecv f));
      rewrite (wake_waits _ _ _ _ _ _ _ _ _ _ _ He Hr).
    + rewrite (H4 t); fold (waits s t (WaitSend f)); split.
      * intro Hw; right; split; [intros -> | exact Hw].
        discriminate (waits_functional _ _ _ _ Hw Hwait).
      * intros [[_ H] | [_ H]]; [discriminate | exact H].
    + rewrite (H5 t); fold (waits s t (WaitRecv f)); split.
      * intro Hw; right; split; [intros -> | exact Hw].
        apply (waits_functional _ _ _ _ Hw) in Hwait; congruence.
      * intros [[_ H] | [_ H]]; [discriminate | exact H].
Qed.

Section Partitions.
  (** Every object, and with it every slot inside it, belongs to one partition. *)
  Variable owner : nat -> nat.

  Definition holds (s : state) (d o : nat) (r : right) : Prop :=
    exists p c, caps s p = Some c /\ owner (fst p) = d /\ c_obj c = o /\ has r (c_rights c).

  Definition slots_of (o : op) : list slot :=
    match o with
    | Copy a b | Mint a b _ _ | Retype a b _ _ _ | MapPage a b _ _ | Bind a b => [a; b]
    | Delete a | Revoke a | UnmapPage a _ | Send _ a _ | Unbind a => [a]
    end.

  (** All slots named by the operation lie in the partition [d]. *)
  Definition issued_by (d : nat) (o : op) : Prop := forall p, In p (slots_of o) -> owner (fst p) = d.

  Lemma holds_fewer_caps : forall s s' d o r, submap (caps s') (caps s) -> holds s' d o r -> holds s d o r.
  Proof. unfold holds, submap; firstorder eauto. Qed.

  Lemma delete_confined : forall s p d o r, holds (delete s p) d o r -> holds s d o r.
  Proof.
    intros s p d o r; apply holds_fewer_caps, submap_drop.
  Qed.

  Lemma insert_confined : forall s src dst c c' d o r,
    caps s src = Some c -> cap_le c' c -> owner (fst src) = owner (fst dst) ->
    holds (insert s src dst c') d o r -> holds s d o r.
  Proof.
    intros s src dst c c' d o r Hsrc (_ & Ho & Hr & _) Hown (p & a & Ha & Hd & Hao & Har).
    simpl in Ha; unfold put in Ha.
    destruct (slot_dec p dst) as [-> |].
    - injection Ha as <-.
      exists src, c.
      split; [exact Hsrc |].
      split; [congruence |].
      split; [congruence | exact (Hr _ Har)].
    - exists p, a; auto.
  Qed.

  (** One operation gives no partition any right over an object that was there before. *)
  Lemma step_confined : forall s o s' d e x r,
    step s o s' -> issued_by d o -> objs s x <> None -> holds s' e x r -> holds s e x r.
  Proof.
    intros s o s' d e x r H Hby Hx; unfold issued_by in Hby.
    destruct H; simpl in Hby; try (intro Hh; exact Hh).
    - apply insert_confined with c; [assumption | apply cap_le_refl |].
      rewrite (Hby src), (Hby dst); auto.
    - assert (Hle : cap_le (with_badge badge (diminish mask c)) c).
      { repeat split; simpl; [apply meet_lower | left; apply H1]. }
      apply insert_confined with c; [assumption | exact Hle |].
      rewrite (Hby src), (Hby dst); auto.
    - apply delete_confined.
    - apply holds_fewer_caps, delete_all_caps_submap.
    - intros (p & a & Ha & Hd & Hao & Har); simpl in Ha; unfold put in Ha.
      destruct (slot_dec p dst); [injection Ha as <-; simpl in Hao; congruence | exists p, a; auto].
  Qed.

  Lemma step_keeps_objects : forall s o s' x, step s o s' -> objs s x <> None -> objs s' x <> None.
  Proof.
    intros s o s' x H Hx Hnone.
    pose proof (step_keeps_kinds _ _ _ H x) as Hk; unfold kind_at in Hk.
    destruct (objs s x) as [y |]; [| contradiction].
    specialize (Hk _ eq_refl); rewrite Hnone in Hk; discriminate Hk.
  Qed.

  (** Authority confinement: whatever a partition does, for however long. *)
  Theorem authority_confinement : forall s os s' d e x r,
    steps s os s' -> Forall (issued_by d) os -> objs s x <> None -> holds s' e x r -> holds s e x r.
  Proof.
    intros s os s' d e x r H; induction H as [s | s o s1 os s2 H1 _ IH]; intros Hby Hx Hh; [exact Hh |].
    assert (Hfirst : issued_by d o) by exact (Forall_inv Hby).
    assert (Hrest : Forall (issued_by d) os) by exact (Forall_inv_tail Hby).
    assert (Hmid : holds s1 e x r).
    { apply IH; [exact Hrest | exact (step_keeps_objects _ _ _ _ H1 Hx) | exact Hh]. }
    exact (step_confined _ _ _ _ _ _ _ H1 Hfirst Hx Hmid).
  Qed.

  (** A partition that starts without a right to an object never gets it by its own doing. *)
  Lemma never_gains : forall s os s' d x r,
    steps s os s' -> Forall (issued_by d) os -> objs s x <> None -> ~ holds s d x r -> ~ holds s' d x r.
  Proof.
    intros s os s' d x r H Hby Hx Hno Hh; apply Hno; eapply authority_confinement; eauto.
  Qed.

  Definition names (s : state) (d x : nat) : Prop := exists p c, caps s p = Some c /\ owner (fst p) = d /\ c_obj c = x.

  (** Integrity: page tables are changed only by those who hold a capability to them. *)
  Lemma page_table_integrity : forall s o s' d x pt,
    step s o s' -> issued_by d o -> objs s x = Some (OPageTable pt) -> ~ names s d x -> objs s' x = objs s x.
  Proof.
    intros s o s' d x pt H Hby Hx Hno; unfold issued_by in Hby.
    destruct H; simpl in Hby |- *; auto.
    - now rewrite delete_all_objs.
    - unfold put; repeat destruct (Nat.eq_dec _ _); congruence.
    - unfold put; destruct (Nat.eq_dec x (c_obj c)) as [-> |]; [| reflexivity].
      exfalso; apply Hno; exists ptc, c; auto.
    - unfold put; destruct (Nat.eq_dec x (c_obj c)) as [-> |]; [| reflexivity].
      exfalso; apply Hno; exists ptc, c; auto.
    - unfold put; repeat destruct (Nat.eq_dec _ _); congruence.
    - unfold put; repeat destruct (Nat.eq_dec _ _); congruence.
    - unfold put; repeat destruct (Nat.eq_dec _ _); congruence.
    - unfold put; repeat destruct (Nat.eq_dec _ _); congruence.
  Qed.

  Lemma step_names_confined : forall s o s' d x,
    step s o s' -> issued_by d o -> objs s x <> None -> names s' d x -> names s d x.
  Proof.
    intros s o s' d x H Hby Hx (p & a & Ha & Hd & Hao); unfold issued_by in Hby.
    destruct H; simpl in Hby, Ha; try (exists p, a; auto; fail).
    - unfold put in Ha; destruct (slot_dec p dst); [injection Ha as <- | exists p, a; auto].
      exists src, c; auto.
    - unfold put in Ha; destruct (slot_dec p dst); [injection Ha as <- | exists p, a; auto].
      exists src, c; auto.
    - apply submap_drop in Ha; exists p, a; auto.
    - apply delete_all_caps_submap in Ha; exists p, a; auto.
    - unfold put in Ha; destruct (slot_dec p dst); [injection Ha as <- | exists p, a; auto].
      simpl in Hao; congruence.
  Qed.

  Section Isolated.
    (** A page table that no capability of the attacker names stays as it is. *)
    Variables attacker table : nat.

    Definition out_of_reach (s : state) : Prop := kind_at s table = Some KPageTable /\ ~ names s attacker table.

    Lemma out_of_reach_step : forall s o s',
      out_of_reach s -> step s o s' -> issued_by attacker o -> out_of_reach s'.
    Proof.
      intros s o s' [Hk Hno] H Hby; split.
      - exact (step_keeps_kinds _ _ _ H _ _ Hk).
      - intro Hn; apply Hno.
        apply (step_names_confined s o s'); auto.
        unfold kind_at in Hk.
        destruct (objs s table); simpl in Hk; congruence.
    Qed.

    Lemma isolated_table : forall s os s', steps s os s' ->
      Forall (issued_by attacker) os -> out_of_reach s -> objs s' table = objs s table.
    Proof.
      induction 1 as [| s o s1 os s2 H _ IH]; intros Hby Hout; [reflexivity |].
      assert (Hfirst : issued_by attacker o) by exact (Forall_inv Hby).
      assert (Hsame : objs s1 table = objs s table).
      { destruct Hout as [Hk Hno]; unfold kind_at in Hk.
        destruct (objs s table) as [[] |] eqn:Ho; try discriminate.
        rewrite <- Ho; exact (page_table_integrity _ _ _ _ _ _ H Hfirst Ho Hno). }
      rewrite <- Hsame; apply IH; [exact (Forall_inv_tail Hby) |].
      exact (out_of_reach_step _ _ _ Hout H Hfirst).
    Qed.
  End Isolated.
End Partitions.
