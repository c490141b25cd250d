value "1 + 1 :: nat"
by blast