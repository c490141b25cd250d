oops
overloading open_number \<equiv> "open_number :: nat" begin definition "open_number = 17" end
lemma filled: "open_number = 17" by (simp add: open_number_def)