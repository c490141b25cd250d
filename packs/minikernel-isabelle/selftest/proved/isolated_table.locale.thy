  using assms
proof induct
  case (more s a s1 as s2)
  have now: "issued_by attacker a"
    using more by simp
  have "objs s1 table = objs s table"
    by (rule table_step [OF more.prems(2) more.hyps(1) now])
  moreover have "out_of_reach s1"
    by (rule out_of_reach_step [OF more.prems(2) more.hyps(1) now])
  ultimately show ?case
    using more by simp
qed simp
