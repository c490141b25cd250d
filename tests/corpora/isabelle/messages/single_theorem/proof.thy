proof (cases rule: list.exhaust nat.exhaust)
qed
