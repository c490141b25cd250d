by (simp cong: TrueI)
