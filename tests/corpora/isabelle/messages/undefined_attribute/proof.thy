using dbl_append [simpp] by simp
