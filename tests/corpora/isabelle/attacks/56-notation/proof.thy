notation dbl ("D")
by blast