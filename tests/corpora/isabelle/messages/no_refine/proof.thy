proof - show "True" by simp qed
