oops
lemma (in impossible) target: "(1::nat) = 2" using wrong by simp