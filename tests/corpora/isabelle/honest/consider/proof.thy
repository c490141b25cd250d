proof -
  consider (both) "A \<and> B" using assms by blast
  then show ?thesis by cases simp
qed