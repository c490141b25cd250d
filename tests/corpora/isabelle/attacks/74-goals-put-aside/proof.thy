defer
prefer 2
defer