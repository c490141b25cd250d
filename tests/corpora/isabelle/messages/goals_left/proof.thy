by (induct xs)
