proof -
  obtain x where "P x" by simp
  then show thesis by (rule that)
qed