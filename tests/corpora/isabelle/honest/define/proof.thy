proof -
  define n where "n = (7::nat)"
  have "length (replicate n x) = n" by simp
  then show ?thesis by (simp add: n_def)
qed