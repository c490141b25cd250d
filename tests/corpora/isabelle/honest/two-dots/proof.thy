proof
  show "B" by fact
  show "A" by (rule assms(1))
qed