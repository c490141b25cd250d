proof (induct xs and xs rule: list.induct)
qed
