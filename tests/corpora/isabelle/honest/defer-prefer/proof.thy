prefer 2
defer
by simp_all