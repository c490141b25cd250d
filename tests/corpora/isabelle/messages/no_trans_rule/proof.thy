proof - have "xs = xs" by simp also have "True" by simp finally show ?thesis by simp qed
