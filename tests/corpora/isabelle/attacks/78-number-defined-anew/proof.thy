proof -
  define one :: nat where "one = 2"
  note one_def [symmetric, simp]
  show ?thesis by simp
qed