ML_val \<open>writeln "hello"\<close>
by simp
