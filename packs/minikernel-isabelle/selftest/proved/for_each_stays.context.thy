  using keeps
  by (metis triple_def triple_for_each)
