proof - fix x :: "?'a" qed
