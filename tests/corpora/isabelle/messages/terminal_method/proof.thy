by (induct xs) (rule conjI)
