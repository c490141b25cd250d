by (rename_tac "a b")
