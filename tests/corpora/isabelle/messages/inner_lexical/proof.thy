proof - have "x = \\" by simp qed
