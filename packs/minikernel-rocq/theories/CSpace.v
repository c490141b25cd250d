(** Capability spaces: guarded, multi-level lookup of an address of bits. *)

From Coq Require Import List Arith Lia.
From MinikernelRocq Require Import Objects Caps.
Import ListNotations.

Definition slot := (nat * nat)%type.

Definition slot_dec (p q : slot) : {p = q} + {p <> q}.
Proof. repeat decide equality. Defined.

(** A node first eats its guard, then [radix] bits that choose one of 2^radix slots. *)
Record cnode := Node { guard : list bool; radix : nat }.

Fixpoint strip (g addr : list bool) : option (list bool) :=
  match g, addr with
  | [], _ => Some addr
  | b :: g', c :: addr' => if Bool.bool_dec b c then strip g' addr' else None
  | _ :: _, [] => None
  end.

Fixpoint split (n : nat) (addr : list bool) : option (list bool * list bool) :=
  match n, addr with
  | 0, _ => Some ([], addr)
  | S n', b :: addr' =>
      match split n' addr' with Some (x, y) => Some (b :: x, y) | None => None end
  | S _, [] => None
  end.

(** The number that a string of bits stands for, first bit lowest. *)
Fixpoint index (bits : list bool) : nat :=
  match bits with
  | [] => 0
  | b :: rest => (if b then 1 else 0) + 2 * index rest
  end.

Lemma strip_app : forall g addr, strip g (g ++ addr) = Some addr.
Proof.
  induction g as [| b g IH]; simpl; intros addr; [reflexivity |].
  destruct (Bool.bool_dec b b); [apply IH | contradiction].
Qed.

Lemma strip_sound : forall g addr rest, strip g addr = Some rest -> addr = g ++ rest.
Proof.
  induction g as [| b g IH]; intros [| c addr] rest H; simpl in *; try congruence.
  destruct (Bool.bool_dec b c) as [-> |]; [| discriminate].
  f_equal; auto.
Qed.

Lemma split_app : forall x y, split (length x) (x ++ y) = Some (x, y).
Proof.
  induction x as [| b x IH]; simpl; intros y; [reflexivity | now rewrite IH].
Qed.

Lemma split_sound : forall n addr x y, split n addr = Some (x, y) -> addr = x ++ y /\ length x = n.
Proof.
  induction n as [| n IH]; intros addr x y H; simpl in H.
  - injection H as <- <-; auto.
  - destruct addr as [| b addr]; [discriminate |].
    destruct (split n addr) as [[x' y'] |] eqn:Hs; [| discriminate].
    injection H as <- <-.
    destruct (IH _ _ _ Hs) as [-> <-]; auto.
Qed.

Lemma index_bound : forall bits, index bits < 2 ^ length bits.
Proof.
  induction bits as [| [] rest IH]; simpl; lia.
Qed.

Lemma index_injective : forall x y, length x = length y -> index x = index y -> x = y.
Proof.
  induction x as [| a x IH]; intros [| b y] Hlen Hix; simpl in *; try discriminate; [reflexivity |].
  assert (Hhead : a = b) by (destruct a, b; auto; lia).
  assert (Htail : index x = index y) by (subst; lia).
  f_equal; auto.
Qed.

Section Lookup.
  Variable nodes : nat -> option cnode.
  Variable caps : slot -> option cap.

  (** What the kernel runs; [fuel] bounds the number of nodes visited. *)
  Fixpoint resolve (fuel n : nat) (addr : list bool) : option slot :=
    match fuel with
    | 0 => None
    | S fuel' =>
        match nodes n with
        | None => None
        | Some cn =>
            match strip (guard cn) addr with
            | None => None
            | Some rest =>
                match split (radix cn) rest with
                | None => None
                | Some (bits, []) => Some (n, index bits)
                | Some (bits, rest') =>
                    match caps (n, index bits) with
                    | None => None
                    | Some c => if kind_dec (c_kind c) KCNode then resolve fuel' (c_obj c) rest' else None
                    end
                end
            end
        end
    end.

  (** What it should find. *)
  Inductive walks : nat -> list bool -> slot -> Prop :=
  | walk_here : forall n cn bits,
      nodes n = Some cn -> length bits = radix cn -> walks n (guard cn ++ bits) (n, index bits)
  | walk_down : forall n cn bits rest c p,
      nodes n = Some cn -> length bits = radix cn -> rest <> [] ->
      caps (n, index bits) = Some c -> c_kind c = KCNode ->
      walks (c_obj c) rest p -> walks n (guard cn ++ bits ++ rest) p.

  Lemma resolve_sound : forall fuel n addr p, resolve fuel n addr = Some p -> walks n addr p.
  Proof.
    induction fuel as [| fuel IH]; simpl; intros n addr p H; [discriminate |].
    destruct (nodes n) as [cn |] eqn:Hn; [| discriminate].
    destruct (strip (guard cn) addr) as [rest |] eqn:Hg; [| discriminate].
    destruct (split (radix cn) rest) as [[bits [| b rest']] |] eqn:Hs; [| | discriminate].
    - injection H as <-.
      apply strip_sound in Hg; apply split_sound in Hs.
      destruct Hs as [-> Hlen]; subst; rewrite app_nil_r.
      now constructor.
    - destruct (caps (n, index bits)) as [c |] eqn:Hc; [| discriminate].
      destruct (kind_dec (c_kind c) KCNode) as [Hk |]; [| discriminate].
      apply strip_sound in Hg; apply split_sound in Hs.
      destruct Hs as [-> Hlen]; subst.
      apply walk_down with c; auto; discriminate.
  Qed.

  Lemma resolve_complete : forall n addr p, walks n addr p -> exists fuel, resolve fuel n addr = Some p.
  Proof.
    induction 1 as [n cn bits Hn Hlen | n cn bits rest c p Hn Hlen Hne Hc Hk _ [fuel IH]].
    - exists 1; simpl.
      rewrite Hn, strip_app, <- Hlen.
      rewrite <- (app_nil_r bits) at 2.
      now rewrite split_app.
    - exists (S fuel); simpl.
      rewrite Hn, strip_app, <- Hlen, split_app.
      destruct rest as [| b rest]; [contradiction |].
      rewrite Hc, Hk; simpl; exact IH.
  Qed.

  Lemma resolve_more_fuel : forall fuel more n addr p,
    fuel <= more -> resolve fuel n addr = Some p -> resolve more n addr = Some p.
  Proof.
    induction fuel as [| fuel IH]; intros [| more] n addr p Hle H; simpl in *; try discriminate; [lia |].
    destruct (nodes n) as [cn |]; [| discriminate].
    destruct (strip (guard cn) addr) as [rest |]; [| discriminate].
    destruct (split (radix cn) rest) as [[bits [| b rest']] |]; auto.
    destruct (caps (n, index bits)) as [c |]; [| discriminate].
    destruct (kind_dec (c_kind c) KCNode); [| discriminate].
    apply IH; [lia | exact H].
  Qed.

  (** An address names at most one slot. *)
  Lemma walks_deterministic : forall n addr p q, walks n addr p -> walks n addr q -> p = q.
  Proof.
    intros n addr p q Hp Hq.
    assert (Ep : exists f, resolve f n addr = Some p) by (apply resolve_complete; exact Hp).
    assert (Eq : exists f, resolve f n addr = Some q) by (apply resolve_complete; exact Hq).
    destruct Ep as [f Hf], Eq as [g Hg].
    apply (resolve_more_fuel _ (Nat.max f g)) in Hf; [| lia].
    apply (resolve_more_fuel _ (Nat.max f g)) in Hg; [| lia].
    congruence.
  Qed.

  Lemma walks_slot_valid : forall n addr p, walks n addr p ->
    exists cn, nodes (fst p) = Some cn /\ snd p < 2 ^ radix cn.
  Proof.
    induction 1 as [n cn bits Hn Hlen |]; [| assumption].
    exists cn; simpl; split; [exact Hn |].
    rewrite <- Hlen; apply index_bound.
  Qed.

  Lemma walks_nonempty : (forall n cn, nodes n = Some cn -> 0 < length (guard cn) + radix cn) ->
    forall n addr p, walks n addr p -> addr <> [].
  Proof.
    intros Hpos n addr p H; destruct H as [n cn bits Hn Hlen | n cn bits rest c p Hn Hlen Hne _ _ _].
    - specialize (Hpos _ _ Hn); intro E; apply app_eq_nil in E.
      destruct E as [Eg ->]; rewrite Eg, <- Hlen in Hpos; simpl in Hpos; lia.
    - intro E; apply app_eq_nil in E; destruct E as [_ E].
      apply app_eq_nil in E; tauto.
  Qed.

  (** If every node eats at least one bit, the length of the address is fuel enough. *)
  Lemma resolve_enough_fuel : (forall n cn, nodes n = Some cn -> 0 < length (guard cn) + radix cn) ->
    forall n addr p, walks n addr p -> resolve (length addr) n addr = Some p.
  Proof.
    intros Hpos.
    assert (Hall : forall fuel n addr p, walks n addr p -> length addr <= fuel -> resolve fuel n addr = Some p).
    { intros fuel n addr p H; revert fuel.
      induction H as [n cn bits Hn Hlen | n cn bits rest c p Hn Hlen Hne Hc Hk _ IH];
        intros fuel Hle; specialize (Hpos _ _ Hn); rewrite !app_length in Hle; (destruct fuel; [lia |]); simpl.
      - rewrite Hn, strip_app, <- Hlen.
        rewrite <- (app_nil_r bits) at 2.
        now rewrite split_app.
      - rewrite Hn, strip_app, <- Hlen, split_app.
        destruct rest as [| b rest]; [contradiction |].
        rewrite Hc, Hk; simpl; apply IH; lia. }
    intros n addr p H; apply Hall; [exact H | apply le_n].
  Qed.
End Lookup.

Lemma walks_more_caps : forall nodes caps caps' n addr p,
  (forall q c, caps q = Some c -> caps' q = Some c) -> walks nodes caps n addr p -> walks nodes caps' n addr p.
Proof.
  intros nodes caps caps' n addr p Hmore H; induction H.
  - now constructor.
  - eapply walk_down; eauto.
Qed.
