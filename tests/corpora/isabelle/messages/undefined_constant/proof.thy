proof - have "List.lenght xs = 0" by simp qed
