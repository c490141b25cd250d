  by (linear_arith)
