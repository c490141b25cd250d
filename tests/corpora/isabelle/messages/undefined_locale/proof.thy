proof - interpret risess Suc by simp qed
