proof
  show B using `B` .
  show A using \<open>A\<close> by this
qed