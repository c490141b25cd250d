by (ind_cases "xs = ys")
