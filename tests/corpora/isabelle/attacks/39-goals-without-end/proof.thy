apply (subgoal_tac "True")+
done
