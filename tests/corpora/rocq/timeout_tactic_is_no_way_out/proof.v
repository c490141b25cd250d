Proof. intro n. timeout 1 (repeat (idtac; pose proof 1 as H; clear H)). Qed.
