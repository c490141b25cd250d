proof -
  from assms(2) and assms(1) show "B \<and> A" ..
qed