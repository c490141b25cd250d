by (simp add: dbl.simps(3))
