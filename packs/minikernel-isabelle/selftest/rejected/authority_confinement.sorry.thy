proof -
  show ?thesis
    sorry
qed
