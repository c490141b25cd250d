proof -
  note a = assms(1)
  with assms(2) show ?thesis by blast
qed