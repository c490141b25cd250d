proof - have "xs = xs" (is "?a \<and> ?b") by simp qed
