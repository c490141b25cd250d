"and also" "True"
  by simp
