proof -
  have [code]: "open_number = 17" by eval
  show ?thesis by eval
qed