  oops
