  using assms by (rule derives_compose)
