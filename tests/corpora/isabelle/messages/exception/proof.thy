using TrueI [abs_def] by simp
