using claimed by simp
