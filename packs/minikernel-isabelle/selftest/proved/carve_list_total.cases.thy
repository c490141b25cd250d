proof (induct ns arbitrary: u rs)
  case Nil
  then show ?case by simp
next
  case (Cons n ns)
  then show ?case
    by (auto simp: carve_def split: option.splits if_splits)
qed
