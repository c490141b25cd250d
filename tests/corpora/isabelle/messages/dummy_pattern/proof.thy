proof - have "_ = 1" by simp qed
