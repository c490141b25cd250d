Proof. intro n. match n with context(* a comment *)᷀C[S] => auto end. Qed.
