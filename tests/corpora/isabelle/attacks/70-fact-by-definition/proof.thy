oops
definition filled: "open_number2 = (17::nat)"