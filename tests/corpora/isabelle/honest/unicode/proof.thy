proof -
  have ‹A ∧ B› using assms by blast
  then show "B ∧ A" by blast
qed