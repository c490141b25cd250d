Proof.
Require Import Nosuch.
Qed.
