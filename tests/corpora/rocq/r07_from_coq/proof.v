Proof. intro n. From Coq Require Import Classical. Qed.
