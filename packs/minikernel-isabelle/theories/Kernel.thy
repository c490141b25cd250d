(* The kernel state and the invariants that make it a sane one. *)

theory Kernel
  imports Stores CSpace VSpace
begin

datatype thread_state = Running | WaitSend nat | WaitRecv nat

record tcb =
  tcb_state :: thread_state
  tcb_bound :: "nat option"
  tcb_message :: nat

datatype obj =
    Tcb tcb
  | CNode cnode
  | Endpoint "nat list" "nat list"
  | Notification nat "nat option"
  | Frame
  | PageTable pagetable
  | Untyped untyped

fun kind_of :: "obj \<Rightarrow> kind" where
  "kind_of (Tcb _) = KTcb"
| "kind_of (CNode _) = KCNode"
| "kind_of (Endpoint _ _) = KEndpoint"
| "kind_of (Notification _ _) = KNotification"
| "kind_of Frame = KFrame"
| "kind_of (PageTable _) = KPageTable"
| "kind_of (Untyped _) = KUntyped"

text \<open>Objects by name, capabilities by slot, and for each slot the slot that it was derived from.\<close>

record kstate =
  objs :: "(nat, obj) store"
  caps :: "(slot, cap) store"
  parent :: "(slot, slot) store"

definition set_obj :: "nat \<Rightarrow> obj \<Rightarrow> kstate \<Rightarrow> kstate" where
  "set_obj a x s = s\<lparr>objs := put (objs s) a x\<rparr>"

definition kind_at :: "kstate \<Rightarrow> nat \<Rightarrow> kind option" where
  "kind_at s a = map_option kind_of (objs s a)"

text \<open>Every object keeps its kind; new ones may appear.\<close>

definition keeps_kinds :: "kstate \<Rightarrow> kstate \<Rightarrow> bool" where
  "keeps_kinds s s' \<longleftrightarrow> submap (kind_at s) (kind_at s')"

text \<open>No capability dangles or names an object of another kind.\<close>

definition inv_caps :: "kstate \<Rightarrow> bool" where
  "inv_caps s \<longleftrightarrow> (\<forall>p c. caps s p = Some c \<longrightarrow> kind_at s (cap_obj c) = Some (cap_kind c))"

definition valid_slot :: "kstate \<Rightarrow> slot \<Rightarrow> bool" where
  "valid_slot s p \<longleftrightarrow> (\<exists>n. objs s (slot_node p) = Some (CNode n) \<and> slot_place p < 2 ^ radix n)"

definition inv_slots :: "kstate \<Rightarrow> bool" where
  "inv_slots s \<longleftrightarrow> (\<forall>p c. caps s p = Some c \<longrightarrow> valid_slot s p)"

text \<open>Binding is known to both sides.\<close>

definition thread_bound :: "kstate \<Rightarrow> nat \<Rightarrow> nat \<Rightarrow> bool" where
  "thread_bound s t n \<longleftrightarrow> (\<exists>x. objs s t = Some (Tcb x) \<and> tcb_bound x = Some n)"

definition notification_bound :: "kstate \<Rightarrow> nat \<Rightarrow> nat \<Rightarrow> bool" where
  "notification_bound s n t \<longleftrightarrow> (\<exists>w. objs s n = Some (Notification w (Some t)))"

definition inv_bound :: "kstate \<Rightarrow> bool" where
  "inv_bound s \<longleftrightarrow> (\<forall>t n. thread_bound s t n \<longleftrightarrow> notification_bound s n t)"

text \<open>Page tables map nothing but frames.\<close>

definition inv_pages :: "kstate \<Rightarrow> bool" where
  "inv_pages s \<longleftrightarrow>
     (\<forall>a pt v e. objs s a = Some (PageTable pt) \<longrightarrow> pt v = Some e \<longrightarrow> kind_at s (pte_frame e) = Some KFrame)"

text \<open>A child is either below its parent, or was made from untyped memory.\<close>

definition child_ok :: "cap \<Rightarrow> cap \<Rightarrow> bool" where
  "child_ok c d \<longleftrightarrow> cap_le c d \<or> cap_kind d = KUntyped"

definition inv_parent :: "kstate \<Rightarrow> bool" where
  "inv_parent s \<longleftrightarrow>
     (\<forall>p q. parent s p = Some q \<longrightarrow> (\<exists>c d. caps s p = Some c \<and> caps s q = Some d \<and> child_ok c d))"

inductive descendant :: "kstate \<Rightarrow> slot \<Rightarrow> slot \<Rightarrow> bool" for s where
  child: "parent s p = Some q \<Longrightarrow> descendant s p q"
| deeper: "parent s p = Some q \<Longrightarrow> descendant s q r \<Longrightarrow> descendant s p r"

text \<open>The derivation forest has no cycle: some rank falls towards the roots.\<close>

definition ranked :: "(slot \<Rightarrow> nat) \<Rightarrow> kstate \<Rightarrow> bool" where
  "ranked rank s \<longleftrightarrow> (\<forall>p q. parent s p = Some q \<longrightarrow> rank q < rank p)"

definition inv_forest :: "kstate \<Rightarrow> bool" where
  "inv_forest s \<longleftrightarrow> (\<exists>rank. ranked rank s)"

text \<open>An endpoint lists exactly the threads that wait at it, and never senders and receivers at once.\<close>

definition waits :: "kstate \<Rightarrow> nat \<Rightarrow> thread_state \<Rightarrow> bool" where
  "waits s t ts \<longleftrightarrow> (\<exists>x. objs s t = Some (Tcb x) \<and> tcb_state x = ts)"

definition inv_queues :: "kstate \<Rightarrow> bool" where
  "inv_queues s \<longleftrightarrow>
     (\<forall>e ss rs. objs s e = Some (Endpoint ss rs) \<longrightarrow>
        (ss = [] \<or> rs = []) \<and> distinct ss \<and> distinct rs \<and>
        (\<forall>t. t \<in> set ss \<longleftrightarrow> waits s t (WaitSend e)) \<and>
        (\<forall>t. t \<in> set rs \<longleftrightarrow> waits s t (WaitRecv e)))"

lemma set_obj_simps [simp]:
  "objs (set_obj a x s) = put (objs s) a x"
  "caps (set_obj a x s) = caps s"
  "parent (set_obj a x s) = parent s"
  by (simp_all add: set_obj_def)

lemma kind_at_set_obj: "kind_at (set_obj a x s) b = (if b = a then Some (kind_of x) else kind_at s b)"
  by (simp add: kind_at_def put_apply)


section \<open>Kinds\<close>

lemma keeps_kinds_trans: "keeps_kinds s s' \<Longrightarrow> keeps_kinds s' s'' \<Longrightarrow> keeps_kinds s s''"
  unfolding keeps_kinds_def by (rule submap_trans)

lemma set_obj_keeps_kinds: "kind_at s a = Some (kind_of x) \<Longrightarrow> keeps_kinds s (set_obj a x s)"
  by (auto simp: keeps_kinds_def submap_def kind_at_set_obj)

lemma set_obj_fresh_keeps_kinds: "objs s a = None \<Longrightarrow> keeps_kinds s (set_obj a x s)"
  by (auto simp: keeps_kinds_def submap_def kind_at_def put_apply)

lemma inv_caps_mono:
  assumes "inv_caps s" and "keeps_kinds s s'" and "submap (caps s') (caps s)"
  shows "inv_caps s'"
  using assms
  by (fastforce simp: inv_caps_def keeps_kinds_def submap_def)

lemma inv_slots_mono:
  "inv_slots s \<Longrightarrow> (\<And>p. valid_slot s p \<Longrightarrow> valid_slot s' p) \<Longrightarrow> submap (caps s') (caps s) \<Longrightarrow> inv_slots s'"
  by (meson inv_slots_def submapD)

lemma valid_slot_set_obj:
  assumes "valid_slot s p" and "kind_at s a \<noteq> Some KCNode"
  shows "valid_slot (set_obj a x s) p"
  using assms by (auto simp: valid_slot_def kind_at_def put_apply)

text \<open>In a sane state looking up an address gives a slot that exists.\<close>

definition nodes_of :: "kstate \<Rightarrow> nat \<Rightarrow> cnode option" where
  "nodes_of s a = (case objs s a of Some (CNode n) \<Rightarrow> Some n | _ \<Rightarrow> None)"

lemma lookup_valid: "cspace.resolve (nodes_of s) (caps s) fuel root addr = Some p \<Longrightarrow> valid_slot s p"
  apply (drule cspace.resolve_sound)
  apply (drule cspace.walks_slot_valid)
  apply (clarsimp simp: valid_slot_def nodes_of_def)
  apply (simp split: option.splits obj.splits)
  done


section \<open>The derivation forest\<close>

lemma child_ok_trans:
  assumes "child_ok c d" and "child_ok d e"
  shows "child_ok c e"
proof (cases "cap_kind e = KUntyped")
  case True
  then show ?thesis
    by (simp add: child_ok_def)
next
  case False
  then have de: "cap_le d e"
    using assms(2) by (simp add: child_ok_def)
  then have "cap_kind d \<noteq> KUntyped"
    using False by (simp add: cap_le_def)
  then have "cap_le c d"
    using assms(1) by (simp add: child_ok_def)
  then show ?thesis
    using de by (auto simp: child_ok_def intro: cap_le_trans)
qed

lemma inv_parentD:
  "inv_parent s \<Longrightarrow> parent s p = Some q \<Longrightarrow> \<exists>c d. caps s p = Some c \<and> caps s q = Some d \<and> child_ok c d"
  by (simp add: inv_parent_def)

lemma descendant_trans:
  "descendant s p q \<Longrightarrow> descendant s q r \<Longrightarrow> descendant s p r"
  by (induct rule: descendant.induct) (blast intro: descendant.intros)+

lemma descendant_rank:
  assumes "ranked rank s" and "descendant s p q"
  shows "rank q < rank p"
  using assms(2)
proof induct
  case (child p q)
  then show ?case
    using assms(1) by (simp add: ranked_def)
next
  case (deeper p q r)
  then have "rank q < rank p"
    using assms(1) by (simp add: ranked_def)
  then show ?case
    using deeper by simp
qed

lemma descendant_irreflexive: "inv_forest s \<Longrightarrow> \<not> descendant s p p"
  by (auto simp: inv_forest_def dest: descendant_rank)

lemma descendant_asym:
  assumes "inv_forest s" and "descendant s p q"
  shows "\<not> descendant s q p"
  using assms
  by (blast dest: descendant_trans descendant_irreflexive)

text \<open>Authority only shrinks down the derivation forest, however deep.\<close>

lemma descendant_child_ok:
  "descendant s p q \<Longrightarrow> inv_parent s \<Longrightarrow> \<exists>c d. caps s p = Some c \<and> caps s q = Some d \<and> child_ok c d"
  apply (induct rule: descendant.induct)
   apply (simp add: inv_parent_def)
  apply (frule inv_parentD)
   apply assumption
  apply clarsimp
  apply (erule child_ok_trans)
  apply assumption
  done

lemma descendant_same_object:
  assumes "inv_parent s" and "descendant s p q"
    and "caps s p = Some c" and "caps s q = Some d" and "cap_kind d \<noteq> KUntyped"
  shows "cap_obj c = cap_obj d"
proof -
  have "child_ok c d"
    using descendant_child_ok [OF assms(2,1)] assms(3,4) by simp
  then show ?thesis
    using assms(5) by (simp add: child_ok_def cap_le_def)
qed

lemma descendant_has_cap: "inv_parent s \<Longrightarrow> descendant s p q \<Longrightarrow> caps s p \<noteq> None \<and> caps s q \<noteq> None"
  by (auto dest: descendant_child_ok)


section \<open>Binding and waiting\<close>

lemma inv_queuesD:
  "inv_queues s \<Longrightarrow> objs s e = Some (Endpoint ss rs) \<Longrightarrow>
   (ss = [] \<or> rs = []) \<and> distinct ss \<and> distinct rs \<and>
   (\<forall>t. t \<in> set ss \<longleftrightarrow> waits s t (WaitSend e)) \<and> (\<forall>t. t \<in> set rs \<longleftrightarrow> waits s t (WaitRecv e))"
  unfolding inv_queues_def by blast

lemma thread_bound_unique:
  assumes "inv_bound s" and "thread_bound s t n" and "thread_bound s u n"
  shows "t = u"
proof -
  have "notification_bound s n t" and "notification_bound s n u"
    using assms by (simp_all add: inv_bound_def)
  then show ?thesis
    by (auto simp: notification_bound_def)
qed

lemma waits_functional: "waits s t a \<Longrightarrow> waits s t b \<Longrightarrow> a = b"
  by (auto simp: waits_def)

text \<open>A thread waits at one endpoint at most.\<close>

lemma waits_once:
  assumes inv: "inv_queues s"
    and e: "objs s e = Some (Endpoint ss rs)" "t \<in> set ss \<union> set rs"
    and f: "objs s f = Some (Endpoint ss' rs')" "t \<in> set ss' \<union> set rs'"
  shows "e = f"
proof -
  have "waits s t (WaitSend e) \<or> waits s t (WaitRecv e)"
    using inv e by (auto simp: inv_queues_def)
  moreover have "waits s t (WaitSend f) \<or> waits s t (WaitRecv f)"
    using inv f by (auto simp: inv_queues_def)
  ultimately show ?thesis
    by (auto dest: waits_functional)
qed

lemma running_not_queued:
  "inv_queues s \<Longrightarrow> waits s t Running \<Longrightarrow> objs s e = Some (Endpoint ss rs) \<Longrightarrow> t \<notin> set ss \<and> t \<notin> set rs"
  apply (unfold inv_queues_def)
  apply (erule allE)+
  apply (drule mp, assumption)
  apply (blast dest: waits_functional)
  done

end
