theory Lists
  imports Main
begin

fun dbl :: "nat list \<Rightarrow> nat list" where
  "dbl [] = []"
| "dbl (x # xs) = 2 * x # dbl xs"

definition sorry_thms :: "nat \<Rightarrow> nat" where
  "sorry_thms n = n + n"

lemma sorry_thms: "sorry_thms n = 2 * n"
  by (simp add: sorry_thms_def)

lemma dbl_length: "length (dbl xs) = length xs"
  by (induct xs) auto

lemma dbl_append [simp]: "dbl (xs @ ys) = dbl xs @ dbl ys"
  by (induct xs) auto

lemma dbl_rev:
  "dbl (rev xs) = rev (dbl xs)"
  by (induct xs) auto

lemma swapped:
  assumes "A" and "B"
  shows "B \<and> A"
  using assms by blast

lemma both: "rev (rev xs) = xs" and "length (rev xs) = length xs"
  by simp_all

lemma split_off:
  fixes n :: nat
  assumes "n > 0"
  obtains m where "n = Suc m"
  using assms by (cases n) auto

lemma linear: "(3::int) * x + 5 * y = 1 \<Longrightarrow> 3 * x = 1 - 5 * y"
  by presburger

lemma drinkers: "\<exists>x. Q x \<longrightarrow> (\<forall>y. Q y)"
  by blast

lemma later: "dbl [x] = [2 * x]"
  by simp

lemma written: "''sorry'' = CHR ''s'' # ''orry''"
  by simp

lemma numbered:
  fixes x\<^sub>1 :: nat
  shows "x\<^sub>1 + 0 = x\<^sub>1"
  by simp

lemma big: "length (replicate 7 x) = 7"
  by simp

lemma related: "rel_fun (=) (=) f f"
  by (simp add: rel_fun_eq)

lemma line_first: "(n::nat) + m = m + n" by simp lemma line_second: "rev [x] = [x]" by simp

text \<open>True of no proof: what rests on it is to be told from what does not, and is accepted where a problem permits it.\<close>

oracle claim = \<open>I\<close>

setup \<open>fn thy => Global_Theory.store_thm (\<^binding>\<open>claimed\<close>, claim (Thm.global_cterm_of thy \<^prop>\<open>(1::nat) = 2\<close>)) thy |> #2\<close>

end
