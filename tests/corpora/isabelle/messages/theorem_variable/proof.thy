by (rule exI [where zz = 1])
