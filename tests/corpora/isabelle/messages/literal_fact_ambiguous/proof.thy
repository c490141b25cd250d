using `_` by simp
