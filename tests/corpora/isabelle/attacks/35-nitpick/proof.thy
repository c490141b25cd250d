nitpick
by blast