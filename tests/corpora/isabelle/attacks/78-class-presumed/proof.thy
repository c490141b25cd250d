proof -
  presume c: "OFCLASS(nat, marked_class)"
  from marked_class.mark_pos [OF c] show ?thesis by simp
qed (intro_classes)