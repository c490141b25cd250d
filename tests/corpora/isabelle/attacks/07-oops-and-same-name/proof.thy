oops
lemma target: True by simp