proof -
  have "\<And>P. PROP P \<Longrightarrow> PROP P" by (rule asm_rl)
  then show ?thesis .
qed