lemma meet_lower:
  shows "meet a b \<preceq> a"
    and "meet a b \<preceq> b"
  unfolding rights_le_def by auto
