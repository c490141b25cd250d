using large claimed by simp
