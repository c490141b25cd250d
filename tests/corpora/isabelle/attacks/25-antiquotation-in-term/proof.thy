proof -
  have "x = \<^const>\<open>True\<close>" by simp
  show ?thesis by blast
qed