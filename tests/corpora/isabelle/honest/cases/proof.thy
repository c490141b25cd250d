proof (cases "\<forall>y. Q y")
  case True
  then show ?thesis by blast
next
  case False
  then show ?thesis by blast
qed