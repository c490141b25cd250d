by code_simp
