proof -
  show ?thesis if "False" using that by simp
qed