oops
abbreviation (input) eq (infix "=" 50) where "eq x y \<equiv> True"
lemma target: "(1::nat) = 2" by simp