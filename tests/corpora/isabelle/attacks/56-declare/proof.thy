declare TrueI [simp]
by blast