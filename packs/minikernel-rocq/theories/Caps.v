(** Capabilities, their rights, and what may be derived from what. *)

From Coq Require Import Bool Arith.
From MinikernelRocq Require Import Objects.

Module Rights.
  Record t := Make { can_read : bool; can_write : bool; can_grant : bool }.

  Definition all : t := Make true true true.
  Definition none : t := Make false false false.

  Definition meet (a b : t) : t :=
    Make (can_read a && can_read b) (can_write a && can_write b) (can_grant a && can_grant b).

  Inductive right := Read | Write | Grant.

  Definition has (r : right) (a : t) : Prop :=
    match r with
    | Read => can_read a = true
    | Write => can_write a = true
    | Grant => can_grant a = true
    end.

  Definition le (a b : t) : Prop := forall r, has r a -> has r b.

  Lemma le_refl : forall a, le a a.
  Proof. unfold le; auto. Qed.

  Lemma le_trans : forall a b c, le a b -> le b c -> le a c.
  Proof. unfold le; auto. Qed.

  Lemma le_antisym : forall a b, le a b -> le b a -> a = b.
  Proof.
    intros [r w g] [r' w' g'] Hab Hba.
    pose proof (Hab Read) as R1; pose proof (Hba Read) as R2.
    pose proof (Hab Write) as W1; pose proof (Hba Write) as W2.
    pose proof (Hab Grant) as G1; pose proof (Hba Grant) as G2.
    simpl in *.
    destruct r, w, g, r', w', g'; intuition congruence.
  Qed.

  Lemma has_meet : forall r a b, has r (meet a b) <-> has r a /\ has r b.
  Proof.
    intros [] a b; simpl; apply andb_true_iff.
  Qed.

  Lemma meet_lower : forall a b, le (meet a b) a /\ le (meet a b) b.
  Proof.
    intros a b; split; intros r H; apply has_meet in H; tauto.
  Qed.

  Lemma meet_greatest : forall a b c, le c a -> le c b -> le c (meet a b).
  Proof.
    intros a b c Ha Hb r Hr; apply has_meet; auto.
  Qed.

  Lemma meet_comm : forall a b, meet a b = meet b a.
  Proof.
    intros a b; unfold meet; f_equal; apply andb_comm.
  Qed.

  Lemma meet_monotone : forall a a' b b', le a a' -> le b b' -> le (meet a b) (meet a' b').
  Proof.
    intros a a' b b' Ha Hb r Hr.
    apply has_meet in Hr; apply has_meet; firstorder.
  Qed.

  Lemma le_iff_meet : forall a b, le a b <-> meet a b = a.
  Proof.
    intros a b; split; intro H.
    - apply le_antisym.
      + apply meet_lower.
      + apply meet_greatest; [apply le_refl | exact H].
    - rewrite <- H.
      apply meet_lower.
  Qed.
End Rights.

Import Rights.

(** A capability names an object of a kind and carries rights; badge 0 means that it has no badge yet. *)
Record cap := Cap { c_kind : kind; c_obj : nat; c_rights : Rights.t; c_badge : nat }.

Definition cap_le (c d : cap) : Prop :=
  c_kind c = c_kind d /\ c_obj c = c_obj d /\ le (c_rights c) (c_rights d)
  /\ (c_badge d = 0 \/ c_badge c = c_badge d).

Definition diminish (mask : Rights.t) (c : cap) : cap :=
  Cap (c_kind c) (c_obj c) (meet (c_rights c) mask) (c_badge c).

Definition badgeable (c : cap) : Prop :=
  (c_kind c = KEndpoint \/ c_kind c = KNotification) /\ c_badge c = 0.

Definition with_badge (b : nat) (c : cap) : cap := Cap (c_kind c) (c_obj c) (c_rights c) b.

(** One step of derivation: fewer rights, or a badge on a capability that may still take one. *)
Inductive derive1 : cap -> cap -> Prop :=
| derive_mask : forall c mask, derive1 c (diminish mask c)
| derive_badge : forall c b, badgeable c -> derive1 c (with_badge b c).

Inductive derives : cap -> cap -> Prop :=
| derives_here : forall c, derives c c
| derives_more : forall c d e, derive1 c d -> derives d e -> derives c e.

Lemma cap_le_refl : forall c, cap_le c c.
Proof.
  unfold cap_le; intuition (auto using le_refl).
Qed.

Lemma cap_le_trans : forall c d e, cap_le c d -> cap_le d e -> cap_le c e.
Proof.
  unfold cap_le; intros c d e (K1 & O1 & R1 & B1) (K2 & O2 & R2 & B2).
  split; [congruence |].
  split; [congruence |].
  split; [exact (le_trans _ _ _ R1 R2) |].
  destruct B2 as [-> | <-]; tauto.
Qed.

Lemma cap_le_antisym : forall c d, cap_le c d -> cap_le d c -> c = d.
Proof.
  intros [k o r b] [k' o' r' b'] (K1 & O1 & R1 & B1) (K2 & O2 & R2 & B2); simpl in *.
  assert (Hr : r = r') by (apply le_antisym; assumption).
  assert (Hb : b = b') by (destruct B1, B2; congruence).
  congruence.
Qed.

Lemma diminish_le : forall mask c, cap_le (diminish mask c) c.
Proof.
  intros mask c; repeat split; simpl; auto; apply meet_lower.
Qed.

Lemma diminish_idem : forall mask c, diminish mask (diminish mask c) = diminish mask c.
Proof.
  intros mask c; unfold diminish; simpl; f_equal.
  apply le_iff_meet, meet_lower.
Qed.

Lemma diminish_monotone : forall mask c d, cap_le c d -> cap_le (diminish mask c) (diminish mask d).
Proof.
  intros mask c d (K & O & R & B).
  repeat split; simpl; auto.
  apply meet_monotone; [exact R | apply le_refl].
Qed.

Lemma derive1_le : forall c d, derive1 c d -> cap_le d c.
Proof.
  intros c d [c' mask | c' b [_ Hb]]; [apply diminish_le |].
  repeat split; simpl; auto; apply le_refl.
Qed.

(** However long a chain of derivations is, nothing is gained by it. *)
Lemma derives_le : forall c d, derives c d -> cap_le d c.
Proof.
  induction 1 as [| c d e H1 _ IH]; [apply cap_le_refl |].
  exact (cap_le_trans _ _ _ IH (derive1_le _ _ H1)).
Qed.

Lemma derives_trans : forall c d e, derives c d -> derives d e -> derives c e.
Proof.
  intros c d e H; revert e; induction H; intros; auto; econstructor; eauto.
Qed.

(** Whatever lies below a capability can be derived from it, if the badge may be given. *)
Lemma le_derives : forall c d,
  cap_le d c -> c_badge d = c_badge c \/ badgeable c -> derives c d.
Proof.
  intros c [k o r b] (K & O & R & B) Hbadge; simpl in *.
  assert (Hmask : diminish r c = Cap k o r (c_badge c)).
  { unfold diminish; rewrite K, O, meet_comm.
    apply le_iff_meet in R; rewrite R; reflexivity. }
  assert (Hfirst : derive1 c (Cap k o r (c_badge c))) by (rewrite <- Hmask; constructor).
  destruct Hbadge as [Hsame | Hmay].
  - rewrite <- Hsame in Hfirst; eauto using derives.
  - assert (Hnext : derive1 (Cap k o r (c_badge c)) (Cap k o r b)).
    { apply (derive_badge (Cap k o r (c_badge c)) b); destruct Hmay; split; simpl; congruence. }
    eauto using derives.
Qed.

Lemma badge_sticks : forall c d, derives c d -> c_badge c <> 0 -> c_badge d = c_badge c.
Proof.
  intros c d H Hb; apply derives_le in H; unfold cap_le in H; intuition congruence.
Qed.

Lemma derives_keeps_object : forall c d, derives c d -> c_kind d = c_kind c /\ c_obj d = c_obj c.
Proof.
  intros c d H; apply derives_le in H; unfold cap_le in H; tauto.
Qed.

Lemma no_right_from_none : forall c d r, c_rights c = none -> derives c d -> ~ has r (c_rights d).
Proof.
  intros c d r Hnone Hd Hr.
  enough (Hhas : has r none) by (destruct r; discriminate Hhas).
  rewrite <- Hnone.
  apply derives_le in Hd; apply Hd; exact Hr.
Qed.
