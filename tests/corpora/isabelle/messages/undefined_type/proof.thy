proof - have "(x :: natt) = x" by simp qed
