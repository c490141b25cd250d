(* Kinds of kernel objects, and the untyped memory that they are carved from. *)

theory Objects
  imports Main
begin

datatype kind = KTcb | KCNode | KEndpoint | KNotification | KFrame | KPageTable | KUntyped

text \<open>The bytes from \<open>lo\<close> on, \<open>len\<close> of them.\<close>

record region =
  lo :: nat
  len :: nat

definition covers :: "region \<Rightarrow> nat \<Rightarrow> bool" where
  "covers r x \<longleftrightarrow> lo r \<le> x \<and> x < lo r + len r"

definition inside :: "region \<Rightarrow> region \<Rightarrow> bool" where
  "inside r s \<longleftrightarrow> (\<forall>x. covers r x \<longrightarrow> covers s x)"

definition separate :: "region \<Rightarrow> region \<Rightarrow> bool" where
  "separate r s \<longleftrightarrow> (\<forall>x. covers r x \<longrightarrow> \<not> covers s x)"

text \<open>Untyped memory: what lies between \<open>mark\<close> and \<open>edge\<close> is still free.\<close>

record untyped =
  mark :: nat
  edge :: nat

definition free_region :: "untyped \<Rightarrow> region" where
  "free_region u = \<lparr>lo = mark u, len = edge u - mark u\<rparr>"

text \<open>Take bytes off the front; fails when fewer are left.\<close>

definition carve :: "nat \<Rightarrow> untyped \<Rightarrow> (region \<times> untyped) option" where
  "carve n u =
     (if mark u + n \<le> edge u
      then Some (\<lparr>lo = mark u, len = n\<rparr>, u\<lparr>mark := mark u + n\<rparr>)
      else None)"

fun carve_list :: "nat list \<Rightarrow> untyped \<Rightarrow> (region list \<times> untyped) option" where
  "carve_list [] u = Some ([], u)"
| "carve_list (n # ns) u =
     (case carve n u of
        None \<Rightarrow> None
      | Some (r, u') \<Rightarrow>
          (case carve_list ns u' of
             None \<Rightarrow> None
           | Some (rs, u'') \<Rightarrow> Some (r # rs, u'')))"


section \<open>Regions\<close>

lemma inside_refl [simp]: "inside r r"
  by (simp add: inside_def)

lemma inside_trans [trans]: "inside r s \<Longrightarrow> inside s t \<Longrightarrow> inside r t"
  by (simp add: inside_def)

lemma separate_sym: "separate r s \<Longrightarrow> separate s r"
  by (auto simp: separate_def)

lemma separate_inside: "separate r s \<Longrightarrow> inside r' r \<Longrightarrow> inside s' s \<Longrightarrow> separate r' s'"
  by (auto simp: separate_def inside_def)

lemma inside_bounds: "0 < len r \<Longrightarrow> inside r s \<longleftrightarrow> lo s \<le> lo r \<and> lo r + len r \<le> lo s + len s"
  apply (rule iffI)
   apply (frule_tac x = "lo r" in spec [OF inside_def [THEN iffD1]])
   apply (drule_tac x = "lo r + len r - 1" in spec [OF inside_def [THEN iffD1]])
   apply (simp add: covers_def)
   apply linarith
  apply (simp add: inside_def covers_def)
  done

text \<open>Regions that share no byte lie one behind the other.\<close>

lemma separate_bounds:
  assumes "0 < len r" and "0 < len s" and "separate r s"
  shows "lo r + len r \<le> lo s \<or> lo s + len s \<le> lo r"
proof (rule ccontr)
  assume neither: "\<not> ?thesis"
  let ?x = "max (lo r) (lo s)"
  have "covers r ?x" and "covers s ?x"
    using assms(1,2) neither by (auto simp: covers_def)
  then show False
    using assms(3) by (simp add: separate_def)
qed


section \<open>Carving\<close>

lemma carve_succeeds_iff: "(\<exists>r u'. carve n u = Some (r, u')) \<longleftrightarrow> mark u + n \<le> edge u"
  by (simp add: carve_def)

lemma carve_inside: "carve n u = Some (r, u') \<Longrightarrow> inside r (free_region u)"
  by (auto simp: carve_def inside_def covers_def free_region_def split: if_splits)

lemma carve_rest_inside: "carve n u = Some (r, u') \<Longrightarrow> inside (free_region u') (free_region u)"
  by (auto simp: carve_def inside_def covers_def free_region_def split: if_splits)

lemma carve_separate:
  assumes "carve n u = Some (r, u')"
  shows "separate r (free_region u')"
  using assms
  by (auto simp: carve_def separate_def covers_def free_region_def split: if_splits)

lemma carve_exhausts:
  assumes "carve n u = Some (r, u')" and "0 < len (free_region u)"
  shows "covers (free_region u) x \<longleftrightarrow> covers r x \<or> covers (free_region u') x"
  using assms
  apply (simp add: carve_def split: if_splits)
  apply (clarsimp simp: covers_def free_region_def)
  apply arith
  done

lemma carve_twice_separate:
  assumes "carve a u = Some (r, u1)" and "carve b u1 = Some (s, u2)"
  shows "separate r s"
proof -
  have "separate r (free_region u1)"
    using assms(1) by (rule carve_separate)
  moreover have "inside s (free_region u1)"
    using assms(2) by (rule carve_inside)
  ultimately show ?thesis
    by (rule separate_inside [OF _ inside_refl])
qed

lemma carve_list_inside:
  "carve_list ns u = Some (rs, u') \<Longrightarrow> r \<in> set rs \<Longrightarrow> inside r (free_region u)"
  apply (induct ns arbitrary: u rs)
   apply simp
  apply (clarsimp split: option.splits)
  apply (erule disjE)
   apply simp
   apply (erule carve_inside)
  apply (drule_tac x = _ in meta_spec)+
  apply (drule meta_mp, assumption)
  apply (drule meta_mp, assumption)
  apply (erule inside_trans)
  apply (erule carve_rest_inside)
  done

text \<open>Objects carved in one go never share a byte.\<close>

lemma carve_list_pairwise:
  "carve_list ns u = Some (rs, u') \<Longrightarrow> sorted_wrt separate rs"
proof (induct ns arbitrary: u rs)
  case Nil
  then show ?case by simp
next
  case (Cons n ns)
  from Cons.prems obtain r u1 rs' where first: "carve n u = Some (r, u1)"
    and others: "carve_list ns u1 = Some (rs', u')" and rs: "rs = r # rs'"
    by (auto split: option.splits)
  have "separate r s" if "s \<in> set rs'" for s
    using carve_separate [OF first] carve_list_inside [OF others that]
    by (rule separate_inside [OF _ inside_refl])
  then show ?case
    using Cons.hyps [OF others] by (simp add: rs)
qed

lemma carve_list_total: "carve_list ns u = Some (rs, u') \<Longrightarrow> mark u' = mark u + sum_list ns"
  apply (induct ns arbitrary: u rs)
   apply simp
  apply (fastforce simp: carve_def split: option.splits if_splits)
  done

lemma carve_list_keeps_edge: "carve_list ns u = Some (rs, u') \<Longrightarrow> edge u' = edge u"
  by (induct ns arbitrary: u rs) (fastforce simp: carve_def split: option.splits if_splits)+

lemma carve_list_lengths: "carve_list ns u = Some (rs, u') \<Longrightarrow> map len rs = ns"
  by (induct ns arbitrary: u rs) (auto simp: carve_def split: option.splits if_splits)

text \<open>A list of sizes can be carved exactly when their sum fits.\<close>

lemma carve_list_succeeds_iff:
  assumes "mark u \<le> edge u"
  shows "carve_list ns u \<noteq> None \<longleftrightarrow> mark u + sum_list ns \<le> edge u"
  using assms
proof (induct ns arbitrary: u)
  case Nil
  then show ?case by simp
next
  case (Cons n ns)
  show ?case
  proof (cases "mark u + n \<le> edge u")
    case True
    let ?u = "u\<lparr>mark := mark u + n\<rparr>"
    have "carve_list (n # ns) u \<noteq> None \<longleftrightarrow> carve_list ns ?u \<noteq> None"
      using True by (auto simp: carve_def split: option.splits)
    then show ?thesis
      using Cons.hyps [of ?u] True by (simp add: add.assoc)
  next
    case False
    then show ?thesis
      by (simp add: carve_def)
  qed
qed

lemma carve_list_append:
  "carve_list (ms @ ns) u =
     (case carve_list ms u of
        None \<Rightarrow> None
      | Some (rs, u') \<Rightarrow> map_option (\<lambda>(ss, u''). (rs @ ss, u'')) (carve_list ns u'))"
  apply (induct ms arbitrary: u)
   apply (simp add: map_option_case split: option.splits)
  apply (auto simp: map_option_case split: option.splits)
  done

end
