proof (induct xs a b c)
qed
