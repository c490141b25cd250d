apply (rule_tac x = 1 in exI conjI)
