using conjI [OF refl refl refl] by simp
