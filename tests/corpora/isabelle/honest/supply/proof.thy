supply append_Cons [simp]
by (induct xs) simp_all