proof -
  include lifting_syntax
  have "((=) ===> (=)) f f" by (simp add: rel_fun_eq)
  then show ?thesis .
qed