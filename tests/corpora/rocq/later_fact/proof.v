Proof. intro t. rewrite mirror_twice. reflexivity. Qed.
