proof - have "(x :: 'a :: ordr) = x" by simp qed
