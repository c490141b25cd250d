by (induct "1 :: nat" rule: list.induct)
