apply (subgoal_tac "False")
prefer 2
defer
apply simp
done