proof (induct xs)
  case Nil show ?case by simp
next
  case (Cons x xs)
  have "length (dbl (x # xs)) = Suc (length (dbl xs))"
  proof -
    have "dbl (x # xs) = 2 * x # dbl xs" by simp
    then show ?thesis by (simp only: list.size)
  qed
  then show ?case using Cons by simp
qed