  using assms
  apply (simp add: carve_def separate_def)
  done
