proof -
  define z where "z = z + (1::nat)"
qed
