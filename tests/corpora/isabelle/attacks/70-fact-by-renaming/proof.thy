oops
lemmas target = TrueI [unfolded]