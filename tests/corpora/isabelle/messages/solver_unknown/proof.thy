by (smt (z4))
