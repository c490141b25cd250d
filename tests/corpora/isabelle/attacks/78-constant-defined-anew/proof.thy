proof -
  define open_number :: nat where "open_number = 17"
  then show "open_number = 17" by simp
qed