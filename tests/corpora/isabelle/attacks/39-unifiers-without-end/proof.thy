proof -
  have "\<exists>f::nat \<Rightarrow> nat. \<forall>x. f (Suc x) = Suc (f x)"
    using [[unify_search_bound = 1000000000, unify_trace_bound = 1000000000]]
    by (rule exI, rule allI, rule refl, rule TrueI)
  show ?thesis using assms by blast
qed
