oops
overloading open_number \<equiv> open_number begin definition filled: "open_number = 17" end