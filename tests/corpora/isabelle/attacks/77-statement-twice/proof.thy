lemma target: "(1::nat) = 2"
lemma target: "True" by simp