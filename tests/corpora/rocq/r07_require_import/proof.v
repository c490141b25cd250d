Proof. intro n. Require Import Classical. Qed.
