proof (induct xs) case Niil qed
