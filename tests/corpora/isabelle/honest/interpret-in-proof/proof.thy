proof -
  interpret r: rises f by (rule that)
  show ?thesis using that(1) by (rule r.up)
qed