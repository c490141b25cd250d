proof (induct xs)
  let ?P = "\<lambda>xs. length (dbl xs) = length xs"
  show "?P []" by simp
  show "?P xs \<Longrightarrow> ?P (x # xs)" for x xs by simp
qed