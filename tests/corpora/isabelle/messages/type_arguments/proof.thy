proof - have "(x :: (nat, nat) list) = x" by simp qed
