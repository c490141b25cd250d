Proof. fix IH 1. intro n. apply IH. Qed.
