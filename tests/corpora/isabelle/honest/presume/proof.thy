proof -
  presume "A"
  then show ?thesis using assms by blast
qed (rule assms)