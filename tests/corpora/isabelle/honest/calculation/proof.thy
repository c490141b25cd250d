proof -
  assume a: "3 * x + 5 * y = 1"
  have "3 * x = 3 * x + 5 * y - 5 * y" by simp
  also have "\<dots> = 1 - 5 * y" by (simp only: a)
  finally show "3 * x = 1 - 5 * y" .
qed