proof -
  { obtain y where "y = xs" by simp
    have "y = y" by simp }
  show ?thesis by simp
qed
