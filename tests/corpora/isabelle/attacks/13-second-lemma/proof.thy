by (induct xs) auto
lemma extra: True by simp