theory Every imports Words begin

text \<open>
lemma only_in_text: "True"
  by simp
\<close>
(* lemma in_comment: (* nested *) "True"
  by simp *)

lemma one_line: "True"
  by simp

lemma two_dots: "x = x"
  ..

lemma one_dot: assumes "A" shows "A" using assms
  .

lemma same_line: "True" by simp

lemma using_by: "x = x"
  using refl by simp

lemma scripted [simp]: "True \<and> True"
  apply (rule conjI)

   apply simp \<comment> \<open>by nobody\<close>
  apply simp
  done

lemma seven: "True"
  apply simp?
  apply simp?
  apply simp?
  apply simp?
  apply simp?
  apply (rule TrueI)
  done

theorem declared: "True"
proof (prove) -
  have "True" by simp
  then show ?thesis .
qed

lemma "y = y"
  by simp

lemma never_closed: "x = ''(*''"
  by simp \<comment> \<open>*) by nobody (*\<close>

lemma given_up: "False"
  oops

lemma without_proof: "False"
  sorry

crunch invariant: operation

claim other_word: "True"
  by simp

lemmas gathered = one_line two_dots

locale place = fixes x :: nat
begin
lemma in_locale: "x = x"
  by simp
end

lemma (in place) targeted: "x = x"
  by simp

sublocale place < other: place x
  by unfold_locales

context begin
private lemma in_context: "True"
  by simp
end

instantiation nat :: thing
begin
instance
  by standard
end

lemma too_long: "True"
  apply simp?
  apply simp?
  apply simp?
  apply simp?
  apply simp?
  apply simp?
  apply simp?
  apply simp?
  apply simp?
  apply simp?
  apply simp?
  apply simp?
  apply simp?
  apply simp?
  apply simp?
  apply simp?
  apply simp?
  apply simp?
  apply simp?
  apply (rule TrueI)
  done

end
