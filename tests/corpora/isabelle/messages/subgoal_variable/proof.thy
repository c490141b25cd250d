by (induct_tac zz)
