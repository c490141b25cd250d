find_theorems "_ = _"
by blast