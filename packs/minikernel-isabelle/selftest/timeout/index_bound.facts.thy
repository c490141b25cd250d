proof -
  note x0 = refl
  note x1 = x0 x0 x0 x0 x0 x0 x0 x0 x0 x0
  note x2 = x1 x1 x1 x1 x1 x1 x1 x1 x1 x1
  note x3 = x2 x2 x2 x2 x2 x2 x2 x2 x2 x2
  note x4 = x3 x3 x3 x3 x3 x3 x3 x3 x3 x3
  note x5 = x4 x4 x4 x4 x4 x4 x4 x4 x4 x4
  note x6 = x5 x5 x5 x5 x5 x5 x5 x5 x5 x5
  note x7 = x6 x6 x6 x6 x6 x6 x6 x6 x6 x6
  note x8 = x7 x7 x7 x7 x7 x7 x7 x7 x7 x7
  note x9 = x8 x8 x8 x8 x8 x8 x8 x8 x8 x8
  show ?thesis by (induct bits) auto
qed
