oops
specification (open_number) filled: "open_number = 17" by simp