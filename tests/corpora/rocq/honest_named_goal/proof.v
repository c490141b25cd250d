Proof. intros P Q [p q]. refine (conj ?[a] ?[b]). [b]: { exact p. } exact q. Qed.
