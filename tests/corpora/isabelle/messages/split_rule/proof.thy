by (simp split: refl)
