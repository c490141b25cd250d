oops
lemma target2: True by simp