proof -
  note
  [[
  quick_and_dirty
  ]]
  show ?thesis sorry
qed