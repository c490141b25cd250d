(* Counting, with a lemma of every category. *)

Fixpoint up (n : nat) : nat := S n.

Lemma up_is_S : forall n, up n = S n.
Proof.
  destruct n; reflexivity.
Defined.

Section Twice.
  Variable f : nat -> nat.
  Hypothesis f_grows : forall n, f n = S n.

  Lemma twice_grows : forall n, f (f n) = S (S n).
  Proof.
    intro n.
    (* a comment is no line *)
    rewrite f_grows.

    rewrite f_grows.
    reflexivity.
  Qed.
End Twice.

Lemma up_up : forall n, up (up n) = S (S n).
Proof.
  intro n.
  assert (H : up n = S n) by apply up_is_S.
  rewrite H.
  apply up_is_S.
Qed.

Lemma up_zero : up 0 = 1.
Proof. reflexivity. Defined.
