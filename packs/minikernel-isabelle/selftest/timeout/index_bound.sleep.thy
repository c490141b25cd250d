  apply (sleep 600)
  by (induct bits) auto
