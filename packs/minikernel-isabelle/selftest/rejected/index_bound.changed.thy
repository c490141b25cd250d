lemma index_bound: "index bits < 2 ^ Suc (length bits)"
  by (induct bits) auto
