proof -
  have "f x = f y" for x y :: unit and f :: "unit \<Rightarrow> 'b" by simp
  then show ?thesis by simp
qed