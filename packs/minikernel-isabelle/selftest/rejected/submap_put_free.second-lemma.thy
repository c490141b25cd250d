  by simp

lemma helper: "True"
  by simp
