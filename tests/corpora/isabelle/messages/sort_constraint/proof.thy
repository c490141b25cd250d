proof - have "(x :: 'a :: ord) = (y :: 'a :: plus)" by simp qed
