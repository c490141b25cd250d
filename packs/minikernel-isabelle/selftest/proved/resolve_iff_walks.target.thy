proof
  assume "resolve (length addr) n addr = Some p"
  then show "walks n addr p"
    by (rule resolve_sound)
next
  assume "walks n addr p"
  then show "resolve (length addr) n addr = Some p"
    by (rule resolve_enough_fuel) simp
qed
