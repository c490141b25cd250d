using dbl.simps(2-1) by simp
