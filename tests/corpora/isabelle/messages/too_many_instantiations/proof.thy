using refl [of a b c] by simp
