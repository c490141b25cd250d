proof -
  fix x y
  have "f x = f x" by (rule refl)
  then show ?thesis by simp
qed