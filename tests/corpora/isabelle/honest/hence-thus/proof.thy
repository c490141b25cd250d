proof -
  have "A \<and> B" using assms by simp
  hence "B" and "A" by simp_all
  thus ?thesis by simp
qed