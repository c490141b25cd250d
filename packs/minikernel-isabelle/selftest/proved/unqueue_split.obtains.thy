proof -
  from assms(2) obtain front later where q: "q = front @ t # later"
    by (meson split_list)
  have "unqueue t (xs @ ys) = unqueue t xs @ unqueue t ys" for xs ys
    by (induct xs) auto
  moreover have "t \<notin> set front" and "t \<notin> set later"
    using assms(1) by (auto simp: q)
  ultimately have "unqueue t q = front @ later"
    by (simp add: q unqueue_absent)
  then show thesis
    using that q by blast
qed
