(* Stores (partial maps over any key) and queues: the data that the kernel model is made of. *)

theory Stores
  imports Main
begin

type_synonym ('k, 'a) store = "'k \<Rightarrow> 'a option"

definition nothing :: "('k, 'a) store" where
  "nothing = (\<lambda>_. None)"

definition put :: "('k, 'a) store \<Rightarrow> 'k \<Rightarrow> 'a \<Rightarrow> ('k, 'a) store" where
  "put m k v = (\<lambda>x. if x = k then Some v else m x)"

definition forget :: "('k, 'a) store \<Rightarrow> 'k \<Rightarrow> ('k, 'a) store" where
  "forget m k = (\<lambda>x. if x = k then None else m x)"

fun forget_all :: "('k, 'a) store \<Rightarrow> 'k list \<Rightarrow> ('k, 'a) store" where
  "forget_all m [] = m"
| "forget_all m (k # ks) = forget (forget_all m ks) k"

definition overlay :: "('k, 'a) store \<Rightarrow> ('k, 'a) store \<Rightarrow> ('k, 'a) store" where
  "overlay m n = (\<lambda>k. case m k of Some v \<Rightarrow> Some v | None \<Rightarrow> n k)"

text \<open>Everything that the first store holds, the second holds too.\<close>

definition submap :: "('k, 'a) store \<Rightarrow> ('k, 'a) store \<Rightarrow> bool" where
  "submap m n \<longleftrightarrow> (\<forall>k v. m k = Some v \<longrightarrow> n k = Some v)"

text \<open>No key is held by both.\<close>

definition apart :: "('k, 'a) store \<Rightarrow> ('k, 'a) store \<Rightarrow> bool" where
  "apart m n \<longleftrightarrow> (\<forall>k. m k = None \<or> n k = None)"

text \<open>The list names at least every key in use.\<close>

definition within :: "('k, 'a) store \<Rightarrow> 'k list \<Rightarrow> bool" where
  "within m ks \<longleftrightarrow> (\<forall>k v. m k = Some v \<longrightarrow> k \<in> set ks)"


section \<open>Single keys\<close>

lemma put_apply: "put m k v x = (if x = k then Some v else m x)"
  by (simp add: put_def)

lemma forget_apply: "forget m k x = (if x = k then None else m x)"
  by (simp add: forget_def)

lemma put_same [simp]: "put m k v k = Some v"
  by (simp add: put_def)

lemma put_other [simp]: "x \<noteq> k \<Longrightarrow> put m k v x = m x"
  by (simp add: put_def)

lemma forget_same [simp]: "forget m k k = None"
  by (simp add: forget_def)

lemma forget_other [simp]: "x \<noteq> k \<Longrightarrow> forget m k x = m x"
  by (simp add: forget_def)

lemma put_commute: "k \<noteq> l \<Longrightarrow> put (put m k v) l w = put (put m l w) k v"
  by (auto simp: put_def)

lemma forget_put_restores:
  assumes "m k = None"
  shows "forget (put m k v) k = m"
  using assms by (auto simp: forget_def put_def)

lemma put_inverse: "put m k v = put n k w \<Longrightarrow> v = w \<and> forget m k = forget n k"
  apply (rule conjI)
   apply (metis option.inject put_same)
  apply (rule ext)
  apply (metis forget_def put_other)
  done


section \<open>Inclusion\<close>

lemma submap_refl [simp]: "submap m m"
  by (simp add: submap_def)

lemma submap_trans [trans]: "submap m n \<Longrightarrow> submap n p \<Longrightarrow> submap m p"
  by (simp add: submap_def)

lemma submapD: "submap m n \<Longrightarrow> m k = Some v \<Longrightarrow> n k = Some v"
  by (simp add: submap_def)

lemma submap_put_free: "m k = None \<Longrightarrow> submap m (put m k v)"
  by (auto simp: submap_def put_def)

lemma submap_forget: "submap (forget m k) m"
  by (simp add: submap_def forget_def)

lemma submap_antisym:
  assumes "submap m n" and "submap n m"
  shows "m = n"
proof
  fix k
  show "m k = n k"
  proof (cases "m k")
    case None
    with assms(2) have "n k \<noteq> Some v" for v
      by (metis option.distinct(1) submapD)
    then show ?thesis
      using None by (cases "n k") auto
  next
    case (Some v)
    then show ?thesis
      using assms(1) by (simp add: submap_def)
  qed
qed

lemma submap_put_mono: "submap m n \<Longrightarrow> submap (put m k v) (put n k v)"
  apply (unfold submap_def put_def)
  apply (intro allI impI)
  apply (simp split: if_splits)
  done

lemma overlay_least:
  assumes "submap m p" and "submap n p"
  shows "submap (overlay m n) p"
  using assms
  by (auto simp: submap_def overlay_def split: option.splits)

lemma overlay_commute: "apart m n \<Longrightarrow> overlay m n = overlay n m"
  apply (rule ext)
  apply (simp add: overlay_def apart_def split: option.split)
  apply (metis option.distinct(1))
  done

lemma overlay_assoc: "overlay (overlay m n) p = overlay m (overlay n p)"
  by (auto simp: overlay_def split: option.splits)

lemma apart_submap: "apart m n \<Longrightarrow> submap m' m \<Longrightarrow> submap n' n \<Longrightarrow> apart m' n'"
  apply (unfold apart_def submap_def)
  apply (rule allI)
  apply (metis not_None_eq option.distinct(1))
  done


section \<open>Many keys\<close>

lemma forget_all_in: "k \<in> set ks \<Longrightarrow> forget_all m ks k = None"
  by (induct ks) (auto simp: forget_def)

lemma forget_all_out: "k \<notin> set ks \<Longrightarrow> forget_all m ks k = m k"
  by (induct ks) (auto simp: forget_def)

lemma forget_all_submap: "submap (forget_all m ks) m"
  apply (induct ks)
   apply simp
  apply simp
  apply (blast intro: submap_trans submap_forget)
  done

lemma forget_all_append: "forget_all m (ks @ ls) = forget_all (forget_all m ls) ks"
  by (induct ks) simp_all

text \<open>Only which keys are dropped counts, not their order or how often.\<close>

lemma forget_all_same_keys:
  assumes "set ks = set ls"
  shows "forget_all m ks = forget_all m ls"
proof
  fix k
  show "forget_all m ks k = forget_all m ls k"
  proof (cases "k \<in> set ks")
    case True
    moreover from this have "k \<in> set ls"
      using assms by simp
    ultimately show ?thesis
      by (simp add: forget_all_in)
  next
    case False
    then show ?thesis
      using assms by (simp add: forget_all_out)
  qed
qed

lemma within_forget_all_nothing: "within m ks \<longleftrightarrow> forget_all m ks = nothing"
  apply (rule iffI)
   apply (rule ext)
   apply (case_tac "x \<in> set ks")
    apply (simp add: forget_all_in nothing_def)
   apply (simp add: forget_all_out nothing_def within_def)
   apply (case_tac "m x")
    apply simp
   apply simp
  apply (unfold within_def)
  apply (intro allI impI)
  apply (rule ccontr)
  apply (drule forget_all_out [where m = m])
  apply (simp add: nothing_def)
  done

lemma within_finite: "within m ks \<Longrightarrow> finite {k. m k \<noteq> None}"
  by (rule finite_subset [of _ "set ks"]) (auto simp: within_def)


section \<open>Queues of threads\<close>

fun unqueue :: "'t \<Rightarrow> 't list \<Rightarrow> 't list" where
  "unqueue t [] = []"
| "unqueue t (x # q) = (if x = t then unqueue t q else x # unqueue t q)"

lemma unqueue_set [simp]: "set (unqueue t q) = set q - {t}"
  by (induct q) auto

lemma unqueue_distinct: "distinct q \<Longrightarrow> distinct (unqueue t q)"
  by (induct q) auto

lemma unqueue_absent: "t \<notin> set q \<Longrightarrow> unqueue t q = q"
  by (induct q) auto

lemma unqueue_commute: "unqueue t (unqueue u q) = unqueue u (unqueue t q)"
  by (induct q) auto

text \<open>A thread that waits once leaves a queue that is shorter by exactly one.\<close>

lemma unqueue_length:
  assumes "distinct q" and "t \<in> set q"
  shows "Suc (length (unqueue t q)) = length q"
  using assms
proof (induct q)
  case Nil
  then show ?case by simp
next
  case (Cons x q)
  show ?case
  proof (cases "x = t")
    case True
    then have "unqueue t q = q"
      using Cons.prems(1) by (intro unqueue_absent) simp
    then show ?thesis
      using True by simp
  next
    case False
    then show ?thesis
      using Cons by simp
  qed
qed

text \<open>Whoever waited longest among those left is still served first.\<close>

lemma unqueue_split:
  assumes "distinct q" and "t \<in> set q"
  obtains front later where "q = front @ t # later" and "unqueue t q = front @ later"
proof -
  from assms(2) obtain front later where split: "q = front @ t # later"
    by (auto simp: in_set_conv_decomp)
  moreover have "unqueue t (front @ t # later) = front @ later"
  proof -
    have "unqueue t (front @ rest) = front @ unqueue t rest" for rest
      using assms(1) unfolding split by (induct front) auto
    then show ?thesis
      using assms(1) unfolding split by (simp add: unqueue_absent)
  qed
  ultimately show ?thesis
    using that by simp
qed

end
