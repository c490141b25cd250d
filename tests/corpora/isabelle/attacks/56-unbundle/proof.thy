unbundle lifting_syntax
by (simp add: rel_fun_eq)