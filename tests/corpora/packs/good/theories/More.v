(* More of it, in two modules that state a lemma of the same name. *)

From Good Require Import Count.

Module Left.
  Lemma step : forall n, up n = S n.
  Proof.
    exact up_is_S.
  Qed.
End Left.

Module Right.
  Lemma step : forall n, S n = up n.
  Proof.
    intro n.
    symmetry.
    apply up_is_S.
  Qed.
End Right.

Lemma given_up : up 1 = 2.
Proof.
Admitted.
