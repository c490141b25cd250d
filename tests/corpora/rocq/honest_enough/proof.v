Proof. intro n. enough (H : n * 1 <= n * n \/ n = 0) by lia. destruct n; [now right | left]. simpl. lia. Qed.
