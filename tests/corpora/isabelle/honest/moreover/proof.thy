proof -
  have A by (rule assms)
  moreover have B by (rule assms)
  ultimately show ?thesis by simp
qed