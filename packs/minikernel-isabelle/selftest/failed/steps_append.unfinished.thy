  apply (induct rule: steps.induct)
   apply simp
