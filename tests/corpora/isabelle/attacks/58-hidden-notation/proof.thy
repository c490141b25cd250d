oops
no_notation Groups.zero_class.zero ("0")
abbreviation "one \<equiv> 2"
lemma target: "(1::nat) = 2" by simp