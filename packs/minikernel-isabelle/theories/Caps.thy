(* Capabilities, their rights, and what may be derived from what. *)

theory Caps
  imports Objects
begin

section \<open>Rights\<close>

record rights =
  can_read :: bool
  can_write :: bool
  can_grant :: bool

datatype right = Read | Write | Grant

fun has :: "right \<Rightarrow> rights \<Rightarrow> bool" where
  "has Read a = can_read a"
| "has Write a = can_write a"
| "has Grant a = can_grant a"

definition all_rights :: rights where
  "all_rights = \<lparr>can_read = True, can_write = True, can_grant = True\<rparr>"

definition no_rights :: rights where
  "no_rights = \<lparr>can_read = False, can_write = False, can_grant = False\<rparr>"

definition meet :: "rights \<Rightarrow> rights \<Rightarrow> rights" where
  "meet a b =
     \<lparr>can_read = (can_read a \<and> can_read b),
      can_write = (can_write a \<and> can_write b),
      can_grant = (can_grant a \<and> can_grant b)\<rparr>"

definition rights_le :: "rights \<Rightarrow> rights \<Rightarrow> bool" (infix "\<preceq>" 50) where
  "a \<preceq> b \<longleftrightarrow> (\<forall>r. has r a \<longrightarrow> has r b)"

lemma rights_le_refl [simp]: "a \<preceq> a"
  by (simp add: rights_le_def)

lemma rights_le_trans [trans]: "a \<preceq> b \<Longrightarrow> b \<preceq> c \<Longrightarrow> a \<preceq> c"
  by (simp add: rights_le_def)

lemma has_all [simp]: "has r all_rights"
  by (cases r) (simp_all add: all_rights_def)

lemma has_none [simp]: "\<not> has r no_rights"
  by (cases r) (simp_all add: no_rights_def)

lemma rights_eqI: "(\<And>r. has r a = has r b) \<Longrightarrow> a = (b :: rights)"
  by (metis (full_types) has.simps old.unit.exhaust rights.equality)

lemma rights_le_antisym:
  assumes "a \<preceq> b" and "b \<preceq> a"
  shows "a = b"
  using assms by (auto simp: rights_le_def intro: rights_eqI)

lemma has_meet [simp]: "has r (meet a b) \<longleftrightarrow> has r a \<and> has r b"
  by (cases r) (simp_all add: meet_def)

lemma meet_lower:
  shows "meet a b \<preceq> a"
    and "meet a b \<preceq> b"
  by (simp_all add: rights_le_def)

lemma meet_greatest: "c \<preceq> a \<Longrightarrow> c \<preceq> b \<Longrightarrow> c \<preceq> meet a b"
  by (simp add: rights_le_def)

lemma meet_commute: "meet a b = meet b a"
  by (auto simp: meet_def)

lemma meet_monotone: "a \<preceq> a' \<Longrightarrow> b \<preceq> b' \<Longrightarrow> meet a b \<preceq> meet a' b'"
  by (simp add: rights_le_def)

lemma rights_le_iff_meet: "a \<preceq> b \<longleftrightarrow> meet a b = a"
  apply (rule iffI)
   apply (rule rights_le_antisym)
    apply (rule meet_lower)
   apply (erule meet_greatest [OF rights_le_refl])
  apply (metis meet_lower(2))
  done


section \<open>Capabilities\<close>

text \<open>A capability names an object of a kind and carries rights; badge 0 means that it has no badge yet.\<close>

record cap =
  cap_kind :: kind
  cap_obj :: nat
  cap_rights :: rights
  cap_badge :: nat

definition cap_le :: "cap \<Rightarrow> cap \<Rightarrow> bool" where
  "cap_le c d \<longleftrightarrow>
     cap_kind c = cap_kind d \<and> cap_obj c = cap_obj d \<and> cap_rights c \<preceq> cap_rights d \<and>
     (cap_badge d = 0 \<or> cap_badge c = cap_badge d)"

definition diminish :: "rights \<Rightarrow> cap \<Rightarrow> cap" where
  "diminish m c = c\<lparr>cap_rights := meet (cap_rights c) m\<rparr>"

definition badgeable :: "cap \<Rightarrow> bool" where
  "badgeable c \<longleftrightarrow> cap_kind c \<in> {KEndpoint, KNotification} \<and> cap_badge c = 0"

text \<open>One step of derivation: fewer rights, or a badge on a capability that may still take one.\<close>

inductive derive1 :: "cap \<Rightarrow> cap \<Rightarrow> bool" where
  mask: "derive1 c (diminish m c)"
| badge: "badgeable c \<Longrightarrow> derive1 c (c\<lparr>cap_badge := b\<rparr>)"

inductive derives :: "cap \<Rightarrow> cap \<Rightarrow> bool" where
  here [intro]: "derives c c"
| more [intro]: "derive1 c d \<Longrightarrow> derives d e \<Longrightarrow> derives c e"

lemma cap_le_refl [simp]: "cap_le c c"
  by (simp add: cap_le_def)

lemma cap_le_trans [trans]: "cap_le c d \<Longrightarrow> cap_le d e \<Longrightarrow> cap_le c e"
  by (auto simp: cap_le_def intro: rights_le_trans)

lemma cap_le_antisym:
  assumes "cap_le c d" and "cap_le d c"
  shows "c = d"
proof -
  have "cap_rights c = cap_rights d"
    using assms by (auto simp: cap_le_def intro: rights_le_antisym)
  moreover have "cap_badge c = cap_badge d"
    using assms by (auto simp: cap_le_def)
  ultimately show ?thesis
    using assms(1) by (simp add: cap_le_def)
qed

lemma diminish_le: "cap_le (diminish m c) c"
  by (simp add: cap_le_def diminish_def meet_lower)

lemma diminish_idem: "diminish m (diminish m c) = diminish m c"
  by (auto simp: diminish_def meet_def)

lemma diminish_diminish: "diminish m (diminish n c) = diminish (meet n m) c"
  by (simp add: diminish_def meet_def conj_assoc)

lemma diminish_monotone: "cap_le c d \<Longrightarrow> cap_le (diminish m c) (diminish m d)"
  by (simp add: cap_le_def diminish_def meet_monotone)

lemma derive1_le: "derive1 c d \<Longrightarrow> cap_le d c"
  by (erule derive1.cases) (auto simp: diminish_def meet_lower cap_le_def badgeable_def)

text \<open>However long a chain of derivations is, nothing is gained by it.\<close>

lemma derives_le: "derives c d \<Longrightarrow> cap_le d c"
  apply (induct rule: derives.induct)
   apply simp
  apply (blast intro: cap_le_trans derive1_le)
  done

lemma derives_trans:
  assumes "derives c d" and "derives d e"
  shows "derives c e"
  using assms by induct auto

text \<open>Whatever lies below a capability can be derived from it, if the badge may be given.\<close>

lemma le_derives:
  assumes below: "cap_le d c"
    and badge: "cap_badge d = cap_badge c \<or> badgeable c"
  shows "derives c d"
proof -
  let ?c' = "diminish (cap_rights d) c"
  have rights: "cap_rights ?c' = cap_rights d"
    using below by (auto simp: diminish_def cap_le_def rights_le_iff_meet meet_commute)
  have masked: "derive1 c ?c'"
    by (rule derive1.mask)
  from badge show ?thesis
  proof
    assume "cap_badge d = cap_badge c"
    then have "?c' = d"
      using below rights by (simp add: cap_le_def diminish_def)
    then show ?thesis
      using masked by auto
  next
    assume "badgeable c"
    then have "badgeable ?c'"
      by (simp add: badgeable_def diminish_def)
    then have "derive1 ?c' (?c'\<lparr>cap_badge := cap_badge d\<rparr>)"
      by (rule derive1.badge)
    moreover have "?c'\<lparr>cap_badge := cap_badge d\<rparr> = d"
      using below rights by (simp add: cap_le_def diminish_def)
    ultimately show ?thesis
      using masked by (metis derives.here derives.more)
  qed
qed

lemma badge_sticks: "derives c d \<Longrightarrow> cap_badge c \<noteq> 0 \<Longrightarrow> cap_badge d = cap_badge c"
  by (drule derives_le) (simp add: cap_le_def)

lemma derives_keeps_object:
  assumes "derives c d"
  shows "cap_kind d = cap_kind c" and "cap_obj d = cap_obj c"
  using derives_le [OF assms]
  by (simp_all add: cap_le_def)

lemma no_right_from_none: "derives c d \<Longrightarrow> cap_rights c = no_rights \<Longrightarrow> \<not> has r (cap_rights d)"
  apply (drule derives_le)
  apply (simp add: cap_le_def rights_le_def)
  done

lemma derives_antisym: "derives c d \<Longrightarrow> derives d c \<Longrightarrow> c = d"
  by (blast intro: cap_le_antisym derives_le)

end
