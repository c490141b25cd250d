  by (induct ks) (simp add: forget_def)
