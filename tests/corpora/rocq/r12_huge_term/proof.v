Proof. intro n. assert (2 ^ 40 = 0) by (cbv; reflexivity). discriminate. Qed.
