proof -
  note \<alpha>=refl \<^sub>sorry
qed