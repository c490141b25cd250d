by (induct xs) auto
This proves it.