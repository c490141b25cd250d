proof -
  show ?thesis when "False" using that by simp
qed