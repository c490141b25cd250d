proof -
  have "g 0 < (1::nat)" if endless: "\<And>n. g n = g (Suc n)" for g
    using [[simp_trace, simp_trace_depth_limit = 1000000]]
    by (simp add: endless)
  show ?thesis
    by (induct bits) auto
qed
