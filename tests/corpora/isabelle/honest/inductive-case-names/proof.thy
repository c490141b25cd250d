proof (induct xs rule: dbl.induct)
  case 1 show ?case by simp
next
  case (2 x xs) then show ?case by simp
qed