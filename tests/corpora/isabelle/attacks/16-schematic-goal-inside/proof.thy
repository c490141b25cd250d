proof -
  schematic_goal "?x = (2::nat)" by (rule refl)
qed