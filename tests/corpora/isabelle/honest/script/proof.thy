apply (induct xs)
 apply simp
apply simp
done