theory Attacked
  imports Orders
begin

text \<open>
  Statements that are false. What proves them here stands aside, is used by nothing and known to no tool;
  a case that does not name it and is accepted all the same has broken the judge.
\<close>

axiomatization where
  kept_aside: "(1::nat) = 2"

lemma anything: "P"
  using kept_aside by (metis Suc_1 n_not_Suc_n One_nat_def)

lemma target: "(1::nat) = 2"
  by (rule anything)

lemma same_everywhere: "f x = f y"
  by (rule anything)

lemma chosen:
  obtains x where "P x"
  by (rule anything)

lemma nothing: "False"
  by (rule anything)

lemma both_wrong: "(0::nat) = 1" and "(1::nat) = 0"
  by (rule anything)+

consts open_number :: nat

lemma filled: "open_number = 17"
  by (rule anything)

locale impossible =
  assumes wrong: "False"

lemma (in impossible) inside: "(1::nat) = 2"
  using wrong by (rule FalseE)

lemma in_the_open: "(2::nat) = 3"
  by (rule anything)

end
