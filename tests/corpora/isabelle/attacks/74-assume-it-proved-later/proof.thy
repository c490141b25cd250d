proof (rule ccontr)
  assume "False"
  then show "False" .
qed