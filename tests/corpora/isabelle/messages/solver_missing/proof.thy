by smt
