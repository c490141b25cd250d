proof - have "1 = = 2" by simp qed
