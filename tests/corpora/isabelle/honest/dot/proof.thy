proof -
  have *: "B \<and> A" using assms by blast
  from * show ?thesis .
qed