(** Stores (partial maps over any decidable key) and queues: the data that the kernel model is made of. *)

From Coq Require Import List Arith Lia.
Import ListNotations.

Section Stores.
  Variables K A : Type.
  Variable keq : forall x y : K, {x = y} + {x <> y}.

  Definition store := K -> option A.

  Definition nothing : store := fun _ => None.

  Definition put (m : store) (k : K) (v : A) : store :=
    fun x => if keq x k then Some v else m x.

  Definition drop (m : store) (k : K) : store :=
    fun x => if keq x k then None else m x.

  Fixpoint drop_all (m : store) (ks : list K) : store :=
    match ks with
    | [] => m
    | k :: rest => drop (drop_all m rest) k
    end.

  Definition union (m n : store) : store :=
    fun k => match m k with Some v => Some v | None => n k end.

  (** Two stores that answer every question alike. *)
  Definition agree (m n : store) : Prop := forall k, m k = n k.

  (** Everything that [m] holds, [n] holds too. *)
  Definition submap (m n : store) : Prop := forall k v, m k = Some v -> n k = Some v.

  (** No key is held by both. *)
  Definition apart (m n : store) : Prop := forall k, m k = None \/ n k = None.

  (** The list names at least every key in use. *)
  Definition within (m : store) (ks : list K) : Prop := forall k v, m k = Some v -> In k ks.

  Lemma put_same : forall m k v, put m k v k = Some v.
  Proof.
    intros; unfold put; destruct (keq k k); congruence.
  Qed.

  Lemma put_other : forall m k v x, x <> k -> put m k v x = m x.
  Proof.
    intros m k v x Hne; unfold put.
    destruct (keq x k) as [Heq | _].
    - contradiction.
    - reflexivity.
  Qed.

  Lemma drop_same : forall m k, drop m k k = None.
  Proof.
    intros m k; unfold drop; now destruct (keq k k).
  Qed.

  Lemma drop_other : forall m k x, x <> k -> drop m k x = m x.
  Proof.
    intros m k x Hne; unfold drop; destruct (keq x k); tauto.
  Qed.

  Lemma put_put : forall m k v w, agree (put (put m k v) k w) (put m k w).
  Proof.
    intros m k v w x; unfold put; destruct (keq x k); reflexivity.
  Qed.

  Lemma put_commute : forall m k l v w, k <> l -> agree (put (put m k v) l w) (put (put m l w) k v).
  Proof.
    intros m k l v w Hne x; unfold put.
    destruct (keq x l) as [Hl | Hl], (keq x k) as [Hk | Hk]; congruence.
  Qed.

  Lemma drop_put_restores : forall m k v, m k = None -> agree (drop (put m k v) k) m.
  Proof.
    intros m k v Hfree x; unfold drop, put.
    destruct (keq x k) as [-> | Hne]; auto.
  Qed.

  Lemma submap_put_free : forall m k v, m k = None -> submap m (put m k v).
  Proof.
    intros m k v Hfree x w Hx; unfold put.
    destruct (keq x k) as [-> | _]; congruence.
  Qed.

  Lemma submap_drop : forall m k, submap (drop m k) m.
  Proof.
    intros m k x v; unfold drop; destruct (keq x k); [discriminate | trivial].
  Qed.

  Lemma submap_trans : forall m n o, submap m n -> submap n o -> submap m o.
  Proof.
    unfold submap; eauto.
  Qed.

  Lemma submap_antisym : forall m n, submap m n -> submap n m -> agree m n.
  Proof.
    intros m n Hmn Hnm k.
    destruct (m k) as [v |] eqn:Hm.
    - symmetry; exact (Hmn k v Hm).
    - destruct (n k) as [w |] eqn:Hn; [| reflexivity].
      rewrite (Hnm k w Hn) in Hm; discriminate.
  Qed.

  Lemma drop_all_in : forall ks m k, In k ks -> drop_all m ks k = None.
  Proof.
    induction ks as [| a rest IH]; simpl; intros m k Hin.
    - contradiction.
    - unfold drop; destruct (keq k a) as [-> | Hne]; [reflexivity |].
      apply IH; destruct Hin; [congruence | assumption].
  Qed.

  Lemma drop_all_not_in : forall ks m k, ~ In k ks -> drop_all m ks k = m k.
  Proof.
    induction ks as [| a rest IH]; simpl; intros m k Hout.
    - reflexivity.
    - unfold drop.
      destruct (keq k a) as [-> | Hne].
      + exfalso; apply Hout; left; reflexivity.
      + apply IH.
        intro Hin; apply Hout; right; exact Hin.
  Qed.

  Lemma drop_all_submap : forall ks m, submap (drop_all m ks) m.
  Proof.
    induction ks as [| a rest IH]; simpl; intros m k v Hk; [assumption |].
    apply IH, (submap_drop _ a), Hk.
  Qed.

  Lemma drop_all_app : forall ks ls m, agree (drop_all m (ks ++ ls)) (drop_all (drop_all m ls) ks).
  Proof.
    induction ks as [| a rest IH]; intros ls m k; simpl; [reflexivity |].
    unfold drop; destruct (keq k a); [reflexivity | apply IH].
  Qed.

  (** Only which keys are dropped counts, not the order or how often. *)
  Lemma drop_all_same_keys : forall ks ls m,
    (forall k, In k ks <-> In k ls) -> agree (drop_all m ks) (drop_all m ls).
  Proof.
    intros ks ls m Hsame k.
    assert (Hdec : In k ks \/ ~ In k ks).
    { destruct (in_dec keq k ks); auto. }
    destruct Hdec as [Hin | Hout].
    - assert (Hin' : In k ls) by (apply Hsame; exact Hin).
      now rewrite !drop_all_in.
    - assert (Hout' : ~ In k ls) by (rewrite <- Hsame; exact Hout).
      now rewrite !drop_all_not_in.
  Qed.

  Lemma within_drop_all_nothing : forall m ks, within m ks -> agree (drop_all m ks) nothing.
  Proof.
    intros m ks Hw k; unfold nothing.
    assert (Hsub : forall v, drop_all m ks k = Some v -> m k = Some v) by (intro v; apply drop_all_submap).
    destruct (drop_all m ks k) as [v |] eqn:Hk; [| reflexivity].
    assert (Hin : In k ks) by (apply (Hw k v); apply Hsub; reflexivity).
    rewrite (drop_all_in ks m k Hin) in Hk; discriminate.
  Qed.

  Lemma within_put : forall m ks k v, within m ks -> within (put m k v) (k :: ks).
  Proof.
    intros m ks k v Hw x w; unfold put.
    destruct (keq x k) as [-> | _]; simpl; eauto.
  Qed.

  Lemma union_least : forall m n o, submap m o -> submap n o -> submap (union m n) o.
  Proof.
    intros m n o Hm Hn k v; unfold union.
    destruct (m k) as [w |] eqn:Hk; intro H.
    - injection H as <-; auto.
    - auto.
  Qed.

  Lemma union_commute : forall m n, apart m n -> agree (union m n) (union n m).
  Proof.
    intros m n Hap k; unfold union.
    destruct (Hap k) as [H | H]; rewrite H; [now destruct (n k) | now destruct (m k)].
  Qed.

  Lemma apart_submap : forall m n m' n', submap m' m -> submap n' n -> apart m n -> apart m' n'.
  Proof.
    intros m n m' n' Hm Hn Hap k.
    destruct (m' k) as [v |] eqn:Hv; [| left; reflexivity].
    destruct (n' k) as [w |] eqn:Hw; [| right; reflexivity].
    exfalso.
    apply Hm in Hv.
    apply Hn in Hw.
    destruct (Hap k); congruence.
  Qed.
End Stores.

Arguments nothing {K A}.
Arguments put {K A} keq m k v.
Arguments drop {K A} keq m k.
Arguments drop_all {K A} keq m ks.
Arguments union {K A} m n.
Arguments agree {K A} m n.
Arguments submap {K A} m n.
Arguments apart {K A} m n.
Arguments within {K A} m ks.

(** Waiting threads: taking one out of a queue. *)
Fixpoint unqueue (t : nat) (q : list nat) : list nat :=
  match q with
  | [] => []
  | x :: rest => if Nat.eq_dec x t then unqueue t rest else x :: unqueue t rest
  end.

Lemma unqueue_in : forall t x q, In x (unqueue t q) <-> In x q /\ x <> t.
Proof.
  induction q as [| a rest IH]; simpl; [tauto |].
  destruct (Nat.eq_dec a t) as [-> | Hne].
  - rewrite IH; split; [tauto |].
    intros [[-> | Hin] Hx]; tauto.
  - simpl; rewrite IH; split.
    + intros [-> | [Hin Hx]]; tauto.
    + tauto.
Qed.

Lemma unqueue_nodup : forall t q, NoDup q -> NoDup (unqueue t q).
Proof.
  induction 1 as [| a rest Hout Hnd IH]; simpl; [constructor |].
  destruct (Nat.eq_dec a t); [assumption |].
  constructor; [rewrite unqueue_in; tauto | assumption].
Qed.

Lemma unqueue_absent : forall t q, ~ In t q -> unqueue t q = q.
Proof.
  induction q as [| a rest IH]; simpl; intro Hout; [reflexivity |].
  destruct (Nat.eq_dec a t); [tauto |].
  f_equal; tauto.
Qed.

(** A thread that waits once leaves a queue that is shorter by exactly one. *)
Lemma unqueue_length : forall t q, NoDup q -> In t q -> S (length (unqueue t q)) = length q.
Proof.
  intros t q Hnd; induction Hnd as [| a rest Hout Hnd IH]; simpl; [tauto |].
  intros [-> | Hin].
  - assert (Hkept : unqueue t rest = rest) by (apply unqueue_absent; exact Hout).
    destruct (Nat.eq_dec t t); [now rewrite Hkept | tauto].
  - assert (Hne : a <> t) by (intro; subst; tauto).
    destruct (Nat.eq_dec a t); [tauto |].
    simpl; rewrite IH; auto.
Qed.
