by (simp add: dbl_append
