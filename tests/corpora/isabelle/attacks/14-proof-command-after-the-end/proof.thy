by (induct xs) auto
by simp