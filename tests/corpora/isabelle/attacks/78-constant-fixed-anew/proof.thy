proof -
  fix open_number :: nat
  assume "open_number = 17"
  then show "open_number = 17" .
qed