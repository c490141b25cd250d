theory Unnamed imports Main begin

class marked =
  fixes mark :: "'a \<Rightarrow> nat"
  assumes mark_small: "mark x < 2"

instantiation bool :: marked
begin
definition "mark b = (if b then 1 else 0)" for b :: bool
instance
  by standard (simp add: mark_bool_def)
end

instantiation unit :: marked
begin
definition "mark u = 0" for u :: unit
instance
proof
  fix x :: unit
  show "mark x < 2"
    by (simp add: mark_unit_def)
qed
end

class tagged =
  assumes tag: "(x :: 'a) = x"

instance marked \<subseteq> tagged
  by standard simp

lemma "mark (x :: 'a :: marked) \<noteq> 2"
  using mark_small [of x] by simp

lemma [simp]: "mark True = 1"
  by (simp add: mark_bool_def)

lemma
  fixes n :: nat
  assumes "n < 2"
  shows "n = 0 \<or> n = 1"
  using assms by auto

lemma "x = x" and second: "y = y"
  by simp_all

locale place = fixes n :: nat assumes positive: "0 < n"
begin
lemma "n \<noteq> 0"
  using positive by simp
end

lemma (in place) "Suc n \<noteq> 1"
  using positive by simp

context begin
private lemma "n + 0 = (n :: nat)"
  by simp
end

lemma "rev [True, False] = [False, True]"
  by simp

lemma "rev [True, False] = [False, True]"
  by auto

lemma named: "mark True + mark False = 1"
  by (simp add: mark_bool_def)

end
