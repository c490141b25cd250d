  using [[quick_and_dirty]]
  by simp
