using dbl_appendd by simp
