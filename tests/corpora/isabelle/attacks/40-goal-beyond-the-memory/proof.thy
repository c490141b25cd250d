proof -
  have "(100000000::nat) = x" by (simp add: numeral_eq_Suc)
  then show ?thesis by simp
qed
