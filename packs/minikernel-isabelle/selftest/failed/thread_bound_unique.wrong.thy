proof -
  show "u = t"
    using assms by (auto simp: inv_bound_def)
qed
