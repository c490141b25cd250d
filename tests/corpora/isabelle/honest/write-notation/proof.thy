proof -
  write conj (infixr "&&" 35)
  from assms have "B && A" by blast
  then show ?thesis .
qed