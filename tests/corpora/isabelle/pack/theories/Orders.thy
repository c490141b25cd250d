theory Orders
  imports Lists
begin

locale rises =
  fixes f :: "nat \<Rightarrow> nat"
  assumes up: "x \<le> y \<Longrightarrow> f x \<le> f y"
begin

lemma twice: "x \<le> y \<Longrightarrow> f (f x) \<le> f (f y)"
  using up by blast

lemma at_least: "f 0 \<le> f x"
  by (simp add: up)

end

interpretation dbl: rises "\<lambda>n. 2 * n"
  by unfold_locales simp

interpretation suc: rises Suc
  by unfold_locales simp

lemma (in rises) thrice: "x \<le> y \<Longrightarrow> f (f (f x)) \<le> f (f (f y))"
  using up by blast

context
  fixes a :: nat
  assumes large: "a > 3"
begin

lemma not_zero: "a \<noteq> 0"
  using large by simp

end

class marked =
  fixes mark :: "'a \<Rightarrow> nat"
  assumes mark_pos: "mark x > 0"
begin

lemma marked_sum: "mark x + mark y > 0"
  by (simp add: mark_pos)

end

instantiation nat :: marked
begin

definition "mark n = Suc n"

instance by standard (simp add: mark_nat_def)

end

instantiation bool :: marked
begin

definition "mark b = (if b then 2 else 1 :: nat)"

instance
  by standard (simp add: mark_bool_def)

end

lemma shared: "f x \<le> f y" if "x \<le> y" and "rises f" for f :: "nat \<Rightarrow> nat"
  using that by (simp add: rises.up)

end
