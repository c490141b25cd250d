proof -
  consider "False" | "True" by simp
  then show ?thesis
  proof cases
    case 1
    then show ?thesis by simp
  qed
qed