proof -
  have loop: "length ys = length (dbl ys) + (0::nat)" for ys sorry_free
qed