apply (induct xs) subgoal for a b c d e by simp
