proof -
  let ?x = "1 :: nat"
  have "?x = 1" by (rule refl)
  show ?thesis by blast
qed