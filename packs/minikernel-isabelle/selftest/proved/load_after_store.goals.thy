  using assms by (auto simp: load_word_def store_word_def)
