prefer 5 by simp
