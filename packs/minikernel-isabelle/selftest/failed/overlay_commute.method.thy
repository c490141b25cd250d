  apply (rule ext)
  apply (erule disjE)
  done
