by (simp dbl_append)
