oops
lemmas target = refl