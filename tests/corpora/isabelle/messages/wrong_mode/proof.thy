have "True" by simp
