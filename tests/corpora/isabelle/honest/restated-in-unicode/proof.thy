lemma swapped:
  assumes "A"
  and "B" shows "B ∧ A" using assms by blast