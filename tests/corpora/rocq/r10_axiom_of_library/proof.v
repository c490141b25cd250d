Proof. intro n. destruct (Coq.Logic.Classical_Prop.classic (n = S n)). assumption. Qed.
