proof -
  { fix f :: "nat \<Rightarrow> nat" assume loop: "\<And>x. f x = f (Suc x)"
    have "f 0 = 1" using [[simp_trace, simp_trace_depth_limit = 1000000]] by (simp add: loop) }
  show ?thesis using assms by blast
qed