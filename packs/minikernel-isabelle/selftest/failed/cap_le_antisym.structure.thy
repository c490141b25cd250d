proof -
  have "cap_rights c = cap_rights d"
    using assms by (auto simp: cap_le_def intro: rights_le_antisym)
  then show ?thesis
    by simp
qed
