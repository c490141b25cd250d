apply (induct xs) apply auto subgoal by simp
