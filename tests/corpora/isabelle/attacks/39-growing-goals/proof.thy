apply (rule ccontr)
apply (subgoal_tac "True", rule TrueI)+
done