proof -
  have "''sorry'' = ''sorry''" by simp
  show ?thesis by simp
qed