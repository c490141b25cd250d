proof -
  { { have "A" by (rule assms(1)) } note a = this
    { have "B" by (rule assms(2)) } with a have "B \<and> A" by blast }
  then show ?thesis .
qed