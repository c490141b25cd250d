(** A small file with a section, a module, a notation and hints, for the judge's own tests. *)

From Coq Require Import List Arith Lia.
Import ListNotations.

Inductive tree : Type := leaf | node (l : tree) (n : nat) (r : tree).

Fixpoint size (t : tree) : nat :=
  match t with
  | leaf => 0
  | node l _ r => S (size l + size r)
  end.

Fixpoint mirror (t : tree) : tree :=
  match t with
  | leaf => leaf
  | node l n r => node (mirror r) n (mirror l)
  end.

Ltac Crush := simpl; auto; lia.

Lemma mirror_size : forall t, size (mirror t) = size t.
Proof.
  induction t; simpl; lia.
Qed.

Lemma mirror_twice : forall t, mirror (mirror t) = t.
Proof.
  induction t as [|l IHl n r IHr]; simpl.
  - reflexivity.
  - now rewrite IHl, IHr.
Qed.

CoInductive stream : Type := next : stream -> stream.
Inductive empty : Type := wrap : empty -> empty.
CoInductive both (X Y : Type) : Type := pair_of : X -> Y -> both X Y.
CoInductive chain (A : Type) : Type := link : chain A -> both (chain A) A -> chain A.
Inductive rooted : Type := root : chain rooted -> rooted.

Section Stores.
  Variable A : Type.
  Variable default : A.

  Definition get (l : list A) (n : nat) : A := nth n l default.

  Lemma get_app : forall l k n, n < length l -> get (l ++ k) n = get l n.
  Proof using.
    intros l k n H. unfold get. now apply app_nth1.
  Qed.
End Stores.

Module Inner.
  Notation "a <+> b" := (a + b) (at level 50).

  Lemma plus_swap (a b : nat) : a <+> b = b <+> a.
  Proof. apply Nat.add_comm. Qed.
End Inner.

Module Type Sized.
  Parameter least : nat.
End Sized.

Module Grown (S : Sized).
  Lemma grown : S.least <= S.least + 1.
  Proof. lia. Qed.
End Grown.

Lemma conj_swap : forall P Q : Prop, P /\ Q -> Q /\ P.
Proof.
  intros P Q [HP HQ]. split.
  - exact HQ.
  - exact HP.
Qed.

Lemma false_one : 1 = 2 -> False.
Proof. discriminate. Qed.

Lemma last_one : forall n : nat, n <= n * n.
Proof. induction n; simpl; lia. Qed.

(** Two statements without a proof, for attacks: whoever is judged to have proved one has found a hole. *)
Lemma impossible : forall n : nat, n = S n.
Proof.
Abort.

Lemma false_goal : False.
Proof.
Abort.
