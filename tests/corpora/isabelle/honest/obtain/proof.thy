proof -
  obtain m where "n = Suc m" using assms by (cases n) auto
  then show thesis by (rule that)
qed