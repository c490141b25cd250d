proof -
  write conj (infixr "\<^bold>\<and>" 35)
  from assms have "B \<^bold>\<and> A" by blast
  then show ?thesis .
qed