by (rule rev_singleton_conv [THEN iffD2, OF refl])
