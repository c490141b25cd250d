using `A \<and> B` by simp
