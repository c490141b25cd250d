apply (induct fuel n addr rule: resolve.induct)
 apply simp
apply (clarsimp simp: strip_iff cut_iff split: option.splits if_splits)
  apply (fastforce intro: walks.intros)
 apply (fastforce intro: walks.intros)
apply (fastforce intro: walks.intros)
done
