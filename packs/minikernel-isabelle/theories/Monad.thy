(* A small state monad: computations that may fail, and what holds before and after them. *)

theory Monad
  imports Main
begin

text \<open>A computation gives a result and a next state, or fails.\<close>

type_synonym ('s, 'a) comp = "'s \<Rightarrow> ('a \<times> 's) option"

definition give :: "'a \<Rightarrow> ('s, 'a) comp" where
  "give a = (\<lambda>s. Some (a, s))"

definition stop :: "('s, 'a) comp" where
  "stop = (\<lambda>_. None)"

definition andthen :: "('s, 'a) comp \<Rightarrow> ('a \<Rightarrow> ('s, 'b) comp) \<Rightarrow> ('s, 'b) comp" (infixl "\<bind>" 60) where
  "f \<bind> g = (\<lambda>s. case f s of None \<Rightarrow> None | Some (a, s') \<Rightarrow> g a s')"

definition gets :: "('s \<Rightarrow> 'a) \<Rightarrow> ('s, 'a) comp" where
  "gets f = (\<lambda>s. Some (f s, s))"

definition update :: "('s \<Rightarrow> 's) \<Rightarrow> ('s, unit) comp" where
  "update f = (\<lambda>s. Some ((), f s))"

definition guard_on :: "bool \<Rightarrow> ('s, unit) comp" where
  "guard_on b = (if b then give () else stop)"

definition from_option :: "'a option \<Rightarrow> ('s, 'a) comp" where
  "from_option x = (case x of None \<Rightarrow> stop | Some a \<Rightarrow> give a)"

text \<open>The second computation runs from the old state where the first fails.\<close>

definition orelse :: "('s, 'a) comp \<Rightarrow> ('s, 'a) comp \<Rightarrow> ('s, 'a) comp" where
  "orelse f g = (\<lambda>s. case f s of None \<Rightarrow> g s | Some r \<Rightarrow> Some r)"

fun for_each :: "'x list \<Rightarrow> ('x \<Rightarrow> ('s, unit) comp) \<Rightarrow> ('s, unit) comp" where
  "for_each [] f = give ()"
| "for_each (x # xs) f = f x \<bind> (\<lambda>_. for_each xs f)"

text \<open>Where the computation succeeds from a state with the precondition, the postcondition holds.\<close>

definition triple :: "('s \<Rightarrow> bool) \<Rightarrow> ('s, 'a) comp \<Rightarrow> ('a \<Rightarrow> 's \<Rightarrow> bool) \<Rightarrow> bool"
    ("\<lbrace>_\<rbrace>/ _ /\<lbrace>_\<rbrace>") where
  "\<lbrace>P\<rbrace> f \<lbrace>Q\<rbrace> \<longleftrightarrow> (\<forall>s a s'. P s \<longrightarrow> f s = Some (a, s') \<longrightarrow> Q a s')"

text \<open>And it does succeed.\<close>

definition assured :: "('s \<Rightarrow> bool) \<Rightarrow> ('s, 'a) comp \<Rightarrow> ('a \<Rightarrow> 's \<Rightarrow> bool) \<Rightarrow> bool" where
  "assured P f Q \<longleftrightarrow> (\<forall>s. P s \<longrightarrow> (\<exists>a s'. f s = Some (a, s') \<and> Q a s'))"

definition wp :: "('s, 'a) comp \<Rightarrow> ('a \<Rightarrow> 's \<Rightarrow> bool) \<Rightarrow> 's \<Rightarrow> bool" where
  "wp f Q s \<longleftrightarrow> (\<forall>a s'. f s = Some (a, s') \<longrightarrow> Q a s')"

text \<open>A part of the state that the computation never changes.\<close>

definition leaves :: "('s, 'a) comp \<Rightarrow> ('s \<Rightarrow> 'v) \<Rightarrow> bool" where
  "leaves f part \<longleftrightarrow> (\<forall>s a s'. f s = Some (a, s') \<longrightarrow> part s' = part s)"


section \<open>Laws of the monad\<close>

lemma give_andthen [simp]: "give a \<bind> f = f a"
  by (simp add: give_def andthen_def)

lemma andthen_give [simp]: "f \<bind> give = f"
  by (rule ext) (simp add: give_def andthen_def split: option.split)

lemma stop_andthen [simp]: "stop \<bind> f = stop"
  by (simp add: stop_def andthen_def)

lemma andthen_assoc: "(f \<bind> g) \<bind> h = f \<bind> (\<lambda>a. g a \<bind> h)"
  by (rule ext) (simp add: andthen_def split: option.split)

lemma andthen_success:
  assumes "(f \<bind> g) s = Some (b, s'')"
  obtains a s' where "f s = Some (a, s')" and "g a s' = Some (b, s'')"
  using assms by (auto simp: andthen_def split: option.splits)

lemma orelse_assoc: "orelse (orelse f g) h = orelse f (orelse g h)"
  by (rule ext) (simp add: orelse_def split: option.split)

lemma for_each_append: "for_each (xs @ ys) f = for_each xs f \<bind> (\<lambda>_. for_each ys f)"
  by (induct xs) (simp_all add: andthen_assoc)

lemma gets_success [simp]: "gets f s = Some (a, s') \<longleftrightarrow> a = f s \<and> s' = s"
  by (auto simp: gets_def)

lemma update_success [simp]: "update f s = Some (a, s') \<longleftrightarrow> s' = f s"
  by (auto simp: update_def)

lemma guard_on_success [simp]: "guard_on b s = Some (a, s') \<longleftrightarrow> b \<and> s' = s"
  by (auto simp: guard_on_def give_def stop_def)

lemma from_option_success [simp]: "from_option x s = Some (a, s') \<longleftrightarrow> x = Some a \<and> s' = s"
  by (auto simp: from_option_def give_def stop_def split: option.splits)

lemma give_success [simp]: "give b s = Some (a, s') \<longleftrightarrow> a = b \<and> s' = s"
  by (auto simp: give_def)


section \<open>Triples\<close>

lemma triple_andthen:
  assumes "\<lbrace>P\<rbrace> f \<lbrace>R\<rbrace>" and "\<And>a. \<lbrace>R a\<rbrace> g a \<lbrace>Q\<rbrace>"
  shows "\<lbrace>P\<rbrace> f \<bind> g \<lbrace>Q\<rbrace>"
  using assms by (fastforce simp: triple_def elim: andthen_success)

lemma triple_consequence:
  "\<lbrace>P'\<rbrace> f \<lbrace>Q'\<rbrace> \<Longrightarrow> (\<And>s. P s \<Longrightarrow> P' s) \<Longrightarrow> (\<And>a s. Q' a s \<Longrightarrow> Q a s) \<Longrightarrow> \<lbrace>P\<rbrace> f \<lbrace>Q\<rbrace>"
  unfolding triple_def by blast

lemma triple_conj:
  assumes "\<lbrace>P\<rbrace> f \<lbrace>Q\<rbrace>"
    and "\<lbrace>P'\<rbrace> f \<lbrace>Q'\<rbrace>"
  shows "\<lbrace>\<lambda>s. P s \<and> P' s\<rbrace> f \<lbrace>\<lambda>a s. Q a s \<and> Q' a s\<rbrace>"
  using assms
  by (auto simp: triple_def)

lemma triple_orelse: "\<lbrace>P\<rbrace> f \<lbrace>Q\<rbrace> \<Longrightarrow> \<lbrace>P\<rbrace> g \<lbrace>Q\<rbrace> \<Longrightarrow> \<lbrace>P\<rbrace> orelse f g \<lbrace>Q\<rbrace>"
  by (fastforce simp: triple_def orelse_def split: option.splits)

lemma triple_update: "\<lbrace>\<lambda>s. Q () (f s)\<rbrace> update f \<lbrace>Q\<rbrace>"
  by (simp add: triple_def)

text \<open>An invariant of the body is an invariant of the loop.\<close>

lemma triple_for_each:
  "(\<And>x. x \<in> set xs \<Longrightarrow> \<lbrace>I\<rbrace> f x \<lbrace>\<lambda>_. I\<rbrace>) \<Longrightarrow> \<lbrace>I\<rbrace> for_each xs f \<lbrace>\<lambda>_. I\<rbrace>"
  apply (induct xs)
   apply (simp add: triple_def)
  apply simp
  apply (rule triple_andthen)
   apply blast
  apply blast
  done

context
  fixes f :: "'x \<Rightarrow> ('s, unit) comp" and inv :: "'s \<Rightarrow> bool"
  assumes keeps: "\<lbrace>inv\<rbrace> f x \<lbrace>\<lambda>_. inv\<rbrace>"
begin

lemma triple_for_each_context: "\<lbrace>inv\<rbrace> for_each xs f \<lbrace>\<lambda>_. inv\<rbrace>"
  by (rule triple_for_each) (rule keeps)

lemma for_each_stays: "inv s \<Longrightarrow> for_each xs f s = Some (a, s') \<Longrightarrow> inv s'"
  using triple_for_each_context unfolding triple_def by blast

end

text \<open>What is done for one element stays done, if later rounds do not undo it.\<close>

lemma triple_for_each_all:
  assumes does: "\<And>x. \<lbrace>\<lambda>_. True\<rbrace> f x \<lbrace>\<lambda>_. done x\<rbrace>"
    and keeps: "\<And>x y. \<lbrace>done y\<rbrace> f x \<lbrace>\<lambda>_. done y\<rbrace>"
  shows "\<lbrace>\<lambda>_. True\<rbrace> for_each xs f \<lbrace>\<lambda>_ s. \<forall>x \<in> set xs. done x s\<rbrace>"
proof (induct xs)
  case Nil
  then show ?case
    by (simp add: triple_def)
next
  case (Cons x xs)
  have "\<lbrace>done x\<rbrace> for_each xs f \<lbrace>\<lambda>_. done x\<rbrace>"
    by (rule triple_for_each) (rule keeps)
  from triple_conj [OF this Cons]
  have "\<lbrace>done x\<rbrace> for_each xs f \<lbrace>\<lambda>_ s. \<forall>y \<in> set (x # xs). done y s\<rbrace>"
    by (rule triple_consequence) simp_all
  then show ?case
    unfolding for_each.simps by (rule triple_andthen [OF does])
qed

lemma wp_weakest: "\<lbrace>P\<rbrace> f \<lbrace>Q\<rbrace> \<longleftrightarrow> (\<forall>s. P s \<longrightarrow> wp f Q s)"
  by (auto simp: triple_def wp_def)

lemma wp_andthen: "wp (f \<bind> g) Q = wp f (\<lambda>a. wp (g a) Q)"
  by (rule ext) (auto simp: wp_def andthen_def split: option.splits)

lemma wp_orelse:
  "wp (orelse f g) Q s \<longleftrightarrow> wp f Q s \<and> ((\<exists>r. f s = Some r) \<or> wp g Q s)"
  apply (cases "f s")
   apply (simp add: wp_def orelse_def)
  apply (auto simp: wp_def orelse_def)
  done

lemma for_each_update: "for_each xs (\<lambda>x. update (f x)) = update (fold f xs)"
  by (induct xs) (auto simp: give_def update_def andthen_def)


section \<open>Assured outcomes\<close>

text \<open>There is one outcome at most, so success with the postcondition is more than the plain triple.\<close>

lemma assured_triple: "assured P f Q \<Longrightarrow> \<lbrace>P\<rbrace> f \<lbrace>Q\<rbrace>"
  by (fastforce simp: assured_def triple_def)

lemma assured_iff: "assured P f Q \<longleftrightarrow> \<lbrace>P\<rbrace> f \<lbrace>Q\<rbrace> \<and> (\<forall>s. P s \<longrightarrow> f s \<noteq> None)"
  apply (rule iffI)
   apply (rule conjI)
    apply (erule assured_triple)
   apply (fastforce simp: assured_def)
  apply (unfold assured_def triple_def)
  apply (intro allI impI)
  apply (erule conjE)
  apply (drule_tac x = s in spec)+
  apply (case_tac "f s")
   apply simp
  apply force
  done

lemma assured_andthen:
  assumes "assured P f R" and "\<And>a. assured (R a) (g a) Q"
  shows "assured P (f \<bind> g) Q"
  unfolding assured_def
proof (intro allI impI)
  fix s
  assume "P s"
  then obtain a s' where "f s = Some (a, s')" and "R a s'"
    using assms(1) by (auto simp: assured_def)
  moreover from \<open>R a s'\<close> obtain b s'' where "g a s' = Some (b, s'')" and "Q b s''"
    using assms(2) unfolding assured_def by blast
  ultimately show "\<exists>b s''. (f \<bind> g) s = Some (b, s'') \<and> Q b s''"
    by (simp add: andthen_def)
qed

lemma assured_for_each: "(\<And>x. x \<in> set xs \<Longrightarrow> assured I (f x) (\<lambda>_. I)) \<Longrightarrow> assured I (for_each xs f) (\<lambda>_. I)"
  apply (induct xs)
   apply (simp add: assured_def give_def)
  apply simp
  apply (rule assured_andthen)
   apply blast
  apply simp
  done


section \<open>Frames\<close>

lemma leaves_triple: "leaves f part \<longleftrightarrow> (\<forall>v. \<lbrace>\<lambda>s. part s = v\<rbrace> f \<lbrace>\<lambda>_ s. part s = v\<rbrace>)"
  by (auto simp: leaves_def triple_def)

lemma leaves_andthen:
  assumes "leaves f part" and "\<And>a. leaves (g a) part"
  shows "leaves (f \<bind> g) part"
  unfolding leaves_def
proof (intro allI impI)
  fix s b s''
  assume "(f \<bind> g) s = Some (b, s'')"
  then obtain a s' where "f s = Some (a, s')" and "g a s' = Some (b, s'')"
    by (rule andthen_success)
  then have "part s' = part s" and "part s'' = part s'"
    using assms by (auto simp: leaves_def)
  then show "part s'' = part s"
    by simp
qed

lemma leaves_for_each: "(\<And>x. leaves (f x) part) \<Longrightarrow> leaves (for_each xs f) part"
  apply (induct xs)
   apply (simp add: leaves_def)
  apply (simp add: leaves_andthen)
  done

text \<open>What depends on the left part alone survives.\<close>

lemma leaves_preserves: "leaves f part \<Longrightarrow> \<lbrace>\<lambda>s. P (part s)\<rbrace> f \<lbrace>\<lambda>_ s. P (part s)\<rbrace>"
  by (simp add: leaves_def triple_def)

text \<open>Reads of a part that is left alone may be moved over a computation.\<close>

lemma gets_commute:
  assumes "leaves f part"
  shows "(f \<bind> (\<lambda>a. gets part \<bind> (\<lambda>v. g a v))) = (gets part \<bind> (\<lambda>v. f \<bind> (\<lambda>a. g a v)))"
proof
  fix s
  show "(f \<bind> (\<lambda>a. gets part \<bind> (\<lambda>v. g a v))) s = (gets part \<bind> (\<lambda>v. f \<bind> (\<lambda>a. g a v))) s"
  proof (cases "f s")
    case None
    then show ?thesis
      by (simp add: andthen_def gets_def)
  next
    case (Some r)
    then have "part (snd r) = part s"
      using assms by (cases r) (simp add: leaves_def)
    then show ?thesis
      using Some by (cases r) (simp add: andthen_def gets_def)
  qed
qed

end
