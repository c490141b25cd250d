apply (rule ccontr)
subgoal premises p
  using p by simp
done