proof (induct xs) case (Cons a b c d) qed
