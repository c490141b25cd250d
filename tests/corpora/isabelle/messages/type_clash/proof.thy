proof - have "xs = (1 :: nat)" by simp show "length = 1" by simp qed
