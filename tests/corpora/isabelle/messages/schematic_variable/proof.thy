proof - show ?foo by simp qed
