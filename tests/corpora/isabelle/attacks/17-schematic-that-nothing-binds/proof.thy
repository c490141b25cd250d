proof -
  have "?x = (1::nat)" by (rule refl)
  show ?thesis by blast
qed