apply (induct xs)
subgoal by simp
subgoal premises ih for x xs
  using ih by simp
done