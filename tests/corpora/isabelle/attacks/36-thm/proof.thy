thm refl [of x]
by blast