(* What no sequence of operations can break. *)

theory Invariants
  imports Ops
begin

section \<open>Capabilities and slots\<close>

lemma insert_inv_caps:
  "inv_caps s \<Longrightarrow> kind_at s (cap_obj c) = Some (cap_kind c) \<Longrightarrow> inv_caps (insert_cap src dst c s)"
  by (simp add: inv_caps_def put_apply)

lemma delete_inv_caps: "inv_caps s \<Longrightarrow> inv_caps (delete_cap p s)"
  by (simp add: inv_caps_def forget_apply)

lemma insert_inv_slots:
  assumes "inv_slots s" and "valid_slot s dst"
  shows "inv_slots (insert_cap src dst c s)"
  using assms
  by (auto simp: inv_slots_def valid_slot_def put_apply)

lemma delete_caps_inv_slots: "inv_slots s \<Longrightarrow> inv_slots (delete_caps ps s)"
  apply (erule inv_slots_mono)
   apply (simp add: valid_slot_def)
  apply (rule delete_caps_submap)
  done


section \<open>The derivation forest\<close>

lemma insert_inv_parent:
  "inv_parent s \<Longrightarrow> caps s dst = None \<Longrightarrow> caps s src = Some d \<Longrightarrow> child_ok c d \<Longrightarrow>
   inv_parent (insert_cap src dst c s)"
  apply (subgoal_tac "src \<noteq> dst")
   prefer 2
   apply force
  apply (unfold inv_parent_def)
  apply (intro allI impI)
  apply (case_tac "p = dst")
   apply simp
  apply (erule_tac x = p in allE)
  apply (erule_tac x = q in allE)
  apply (case_tac "q = dst")
   apply simp
  apply simp
  done

text \<open>Orphans of a deleted capability are adopted by its parent, and the order of authority survives.\<close>

lemma delete_inv_parent:
  assumes inv: "inv_parent s" and forest: "inv_forest s"
  shows "inv_parent (delete_cap p s)"
  unfolding inv_parent_def
proof (intro allI impI)
  fix a b
  assume ab: "parent (delete_cap p s) a = Some b"
  then have a: "a \<noteq> p"
    by auto
  show "\<exists>c d. caps (delete_cap p s) a = Some c \<and> caps (delete_cap p s) b = Some d \<and> child_ok c d"
  proof (cases "parent s a = Some p")
    case True
    then have pb: "parent s p = Some b"
      using ab a by simp
    then have "b \<noteq> p"
      using forest by (auto simp: inv_forest_def ranked_def)
    moreover have "descendant s a b"
      using True pb by (blast intro: descendant.intros)
    ultimately show ?thesis
      using descendant_child_ok [OF _ inv] a by simp
  next
    case False
    then have "parent s a = Some b" and "b \<noteq> p"
      using ab a by auto
    then show ?thesis
      using inv a by (simp add: inv_parent_def)
  qed
qed

lemma delete_ranked: "ranked rank s \<Longrightarrow> ranked rank (delete_cap p s)"
  apply (simp add: ranked_def)
  apply (metis less_trans)
  done

lemma delete_inv_forest: "inv_forest s \<Longrightarrow> inv_forest (delete_cap p s)"
  by (auto simp: inv_forest_def intro: delete_ranked)

text \<open>A new leaf closes no cycle.\<close>

lemma insert_inv_forest:
  "inv_parent s \<Longrightarrow> inv_forest s \<Longrightarrow> caps s dst = None \<Longrightarrow> src \<noteq> dst \<Longrightarrow>
   inv_forest (insert_cap src dst c s)"
  apply (clarsimp simp: inv_forest_def)
  apply (rule_tac x = "\<lambda>x. if x = dst then Suc (rank src) else rank x" in exI)
  apply (clarsimp simp: ranked_def put_apply)
  apply (unfold inv_parent_def)
  apply (erule_tac x = p in allE)
  apply (erule_tac x = dst in allE)
  apply simp
  done

lemma delete_caps_inv_forest: "inv_forest s \<Longrightarrow> inv_forest (delete_caps ps s)"
  by (induct ps arbitrary: s) (simp_all add: delete_caps_def delete_inv_forest)

lemma delete_caps_inv_parent:
  assumes "inv_parent s" and "inv_forest s"
  shows "inv_parent (delete_caps ps s)"
  using assms
  by (induct ps arbitrary: s) (simp_all add: delete_caps_def delete_inv_parent delete_inv_forest)


section \<open>Every operation\<close>

lemma set_two_keeps_kinds:
  assumes "kind_at s a = Some (kind_of x)" and "kind_at s b = Some (kind_of y)"
  shows "keeps_kinds s (set_obj b y (set_obj a x s))"
  using assms
  by (auto simp: keeps_kinds_def submap_def kind_at_set_obj)

lemma step_keeps_kinds: "step s a s' \<Longrightarrow> keeps_kinds s s'"
  apply (erule step.cases; hypsubst)
            apply (simp add: keeps_kinds_def submap_def)
           apply (simp add: keeps_kinds_def submap_def)
          apply (simp add: keeps_kinds_def submap_def)
         apply (simp add: keeps_kinds_def submap_def)
        apply (auto simp: keeps_kinds_def submap_def kind_at_def put_apply)[1]
       apply (simp add: set_obj_keeps_kinds kind_at_def)
      apply (simp add: set_obj_keeps_kinds kind_at_def)
     apply (simp add: set_two_keeps_kinds kind_at_def)
    apply (simp add: set_two_keeps_kinds kind_at_def)
   apply (simp add: set_two_keeps_kinds kind_at_def)
  apply (simp add: set_two_keeps_kinds kind_at_def)
  done

lemma steps_keep_kinds: "steps s as s' \<Longrightarrow> keeps_kinds s s'"
  apply (induct rule: steps.induct)
   apply (simp add: keeps_kinds_def)
  apply (blast intro: keeps_kinds_trans step_keeps_kinds)
  done

text \<open>No operation leaves a dangling capability behind.\<close>

lemma step_inv_caps:
  assumes inv: "inv_caps s" and step: "step s a s'"
  shows "inv_caps s'"
proof -
  have kinds: "kind_at s' (cap_obj c) = Some (cap_kind c)" if "caps s p = Some c" for p c
    using inv that step_keeps_kinds [OF step] by (auto simp: inv_caps_def keeps_kinds_def submap_def)
  show ?thesis
    unfolding inv_caps_def
  proof (intro allI impI)
    fix p c
    assume new: "caps s' p = Some c"
    show "kind_at s' (cap_obj c) = Some (cap_kind c)"
    proof (cases "caps s p = Some c")
      case True
      then show ?thesis
        by (rule kinds)
    next
      case False
      show ?thesis
        using step new inv False
        by cases
          (auto simp: inv_caps_def put_apply forget_apply diminish_def kind_at_set_obj
            dest: submapD [OF delete_caps_submap] split: if_splits)
    qed
  qed
qed

lemma steps_inv_caps: "steps s as s' \<Longrightarrow> inv_caps s \<Longrightarrow> inv_caps s'"
  by (induct rule: steps.induct) (auto intro: step_inv_caps)

lemma do_copy_inv_caps: "\<lbrace>inv_caps\<rbrace> do_copy src dst \<lbrace>\<lambda>_. inv_caps\<rbrace>"
  by (auto simp: triple_def do_copy_iff intro: step_inv_caps)

lemma do_mint_inv_slots: "\<lbrace>inv_slots\<rbrace> do_mint src dst m b \<lbrace>\<lambda>_. inv_slots\<rbrace>"
  apply (clarsimp simp: triple_def do_mint_iff)
  apply (erule mintE)
  apply (simp add: insert_inv_slots free_slot_def)
  done

lemma do_copy_inv_forest:
  "\<lbrace>\<lambda>s. inv_parent s \<and> inv_forest s\<rbrace> do_copy src dst \<lbrace>\<lambda>_ s. inv_parent s \<and> inv_forest s\<rbrace>"
  apply (clarsimp simp: triple_def do_copy_def into_slot_def andthen_success_iff free_slot_def)
  apply (rule conjI)
   apply (erule insert_inv_parent)
     apply assumption
    apply assumption
   apply (simp add: child_ok_def)
  apply (erule insert_inv_forest)
    apply assumption
   apply assumption
  apply force
  done

lemma do_revoke_inv_forest:
  "\<lbrace>\<lambda>s. inv_parent s \<and> inv_forest s\<rbrace> do_revoke p ps \<lbrace>\<lambda>_ s. inv_parent s \<and> inv_forest s\<rbrace>"
  by (auto simp: triple_def do_revoke_iff elim!: revokeE intro: delete_caps_inv_parent delete_caps_inv_forest)


section \<open>Page tables\<close>

lemma map_inv_pages:
  "inv_pages s \<Longrightarrow> objs s a = Some (PageTable pt) \<Longrightarrow> kind_at s f = Some KFrame \<Longrightarrow>
   inv_pages (set_obj a (PageTable (map_page pt v f rs)) s)"
  apply (subgoal_tac "f \<noteq> a")
   prefer 2
   apply (clarsimp simp: kind_at_def)
  apply (simp add: inv_pages_def kind_at_set_obj)
  apply (clarsimp simp: put_apply map_page_def)
  apply (case_tac "aa = a")
   apply (clarsimp split: if_splits)
   apply (fastforce simp: kind_at_def)
  apply (fastforce simp: kind_at_def)
  done

lemma unmap_inv_pages:
  assumes inv: "inv_pages s" and a: "objs s a = Some (PageTable pt)"
  shows "inv_pages (set_obj a (PageTable (forget pt v)) s)"
  unfolding inv_pages_def
proof (intro allI impI)
  fix b pt' w e
  assume b: "objs (set_obj a (PageTable (forget pt v)) s) b = Some (PageTable pt')" and e: "pt' w = Some e"
  have "kind_at s (pte_frame e) = Some KFrame"
  proof (cases "b = a")
    case True
    then have "pt w = Some e"
      using b e by (auto simp: forget_apply split: if_splits)
    then show ?thesis
      using inv a by (auto simp: inv_pages_def)
  next
    case False
    then show ?thesis
      using inv b e by (auto simp: inv_pages_def)
  qed
  moreover from this have "pte_frame e \<noteq> a"
    using a by (auto simp: kind_at_def)
  ultimately show "kind_at (set_obj a (PageTable (forget pt v)) s) (pte_frame e) = Some KFrame"
    by (simp add: kind_at_set_obj)
qed

lemma do_unmap_inv_pages: "\<lbrace>inv_pages\<rbrace> do_unmap ptc v \<lbrace>\<lambda>_. inv_pages\<rbrace>"
  by (auto simp: triple_def do_unmap_def andthen_success_iff intro: unmap_inv_pages)

lemma do_map_inv_pages: "\<lbrace>\<lambda>s. inv_pages s \<and> inv_caps s\<rbrace> do_map ptc frc v rs \<lbrace>\<lambda>_. inv_pages\<rbrace>"
  apply (clarsimp simp: triple_def do_map_def andthen_success_iff)
  apply (erule map_inv_pages)
   apply assumption
  apply (simp add: inv_caps_def)
  done


section \<open>Binding and queues\<close>

text \<open>Binding a thread to a notification that has no thread yet keeps the two sides in step.\<close>

lemma bind_inv_bound:
  assumes inv: "inv_bound s"
    and t: "objs s t = Some (Tcb x)" "tcb_bound x = None"
    and n: "objs s n = Some (Notification w None)"
  shows "inv_bound (set_obj n (Notification w (Some t)) (set_obj t (Tcb (x\<lparr>tcb_bound := Some n\<rparr>)) s))"
    (is "inv_bound ?s")
proof -
  have "thread_bound ?s a b \<longleftrightarrow> a = t \<and> b = n \<or> thread_bound s a b" for a b
    using t n by (auto simp: thread_bound_def put_apply)
  moreover have "notification_bound ?s b a \<longleftrightarrow> a = t \<and> b = n \<or> notification_bound s b a" for a b
    using t n by (auto simp: notification_bound_def put_apply)
  ultimately show ?thesis
    using inv by (simp add: inv_bound_def)
qed

lemma unbind_inv_bound:
  assumes inv: "inv_bound s"
    and t: "objs s t = Some (Tcb x)" "tcb_bound x = Some n"
    and n: "objs s n = Some (Notification w (Some t))"
  shows "inv_bound (set_obj n (Notification w None) (set_obj t (Tcb (x\<lparr>tcb_bound := None\<rparr>)) s))"
    (is "inv_bound ?s")
proof -
  have others: "thread_bound s a n \<longleftrightarrow> a = t" for a
    using inv n by (auto simp: inv_bound_def notification_bound_def)
  have "thread_bound ?s a b \<longleftrightarrow> thread_bound s a b \<and> a \<noteq> t" for a b
    using t n by (auto simp: thread_bound_def put_apply)
  moreover have "notification_bound ?s b a \<longleftrightarrow> notification_bound s b a \<and> b \<noteq> n" for a b
    using t n by (auto simp: notification_bound_def put_apply)
  moreover have "thread_bound s t b \<longleftrightarrow> b = n" for b
    using t by (auto simp: thread_bound_def)
  ultimately show ?thesis
    using inv others by (auto simp: inv_bound_def)
qed

lemma wake_waits:
  "objs s e = Some (Endpoint ss rs) \<Longrightarrow> objs s r = Some (Tcb y) \<Longrightarrow>
   waits (set_obj r (Tcb (y\<lparr>tcb_state := ts', tcb_message := m\<rparr>)) (set_obj e (Endpoint ss' rs') s)) t ts \<longleftrightarrow>
   (if t = r then ts = ts' else waits s t ts)"
  by (auto simp: waits_def put_apply)

text \<open>Handing a message to the first waiting receiver keeps every queue exact.\<close>

lemma deliver_inv_queues:
  assumes inv: "inv_queues s"
    and e: "objs s e = Some (Endpoint [] (r # rs))"
    and r: "objs s r = Some (Tcb y)"
  shows "inv_queues
    (set_obj r (Tcb (y\<lparr>tcb_state := Running, tcb_message := m\<rparr>)) (set_obj e (Endpoint [] rs) s))"
    (is "inv_queues ?s")
proof -
  have here: "distinct (r # rs)" "\<And>t. \<not> waits s t (WaitSend e)"
    "\<And>t. t \<in> set (r # rs) \<longleftrightarrow> waits s t (WaitRecv e)"
    using inv e by (force simp: inv_queues_def)+
  then have waiting: "waits s r ts \<longleftrightarrow> ts = WaitRecv e" for ts
    by (auto dest: waits_functional)
  note woken = wake_waits [OF e r]
  show ?thesis
    unfolding inv_queues_def
  proof (intro allI impI)
    fix f ss' rs'
    assume f: "objs ?s f = Some (Endpoint ss' rs')"
    show "(ss' = [] \<or> rs' = []) \<and> distinct ss' \<and> distinct rs' \<and>
      (\<forall>t. t \<in> set ss' \<longleftrightarrow> waits ?s t (WaitSend f)) \<and> (\<forall>t. t \<in> set rs' \<longleftrightarrow> waits ?s t (WaitRecv f))"
    proof (cases "f = e")
      case True
      then have "ss' = []" and "rs' = rs"
        using f e r by (auto simp: put_apply split: if_splits)
      then show ?thesis
        using here by (auto simp: woken True)
    next
      case False
      then have "objs s f = Some (Endpoint ss' rs')"
        using f by (auto simp: put_apply split: if_splits)
      from inv_queuesD [OF inv this] show ?thesis
        using waiting False by (auto simp: woken)
    qed
  qed
qed

text \<open>A running thread that has to wait is put at the end of the queue, and of no other.\<close>

lemma wait_inv_queues:
  "inv_queues s \<Longrightarrow> objs s e = Some (Endpoint ss []) \<Longrightarrow> objs s t = Some (Tcb x) \<Longrightarrow> tcb_state x = Running \<Longrightarrow>
   inv_queues
     (set_obj t (Tcb (x\<lparr>tcb_state := WaitSend e, tcb_message := m\<rparr>)) (set_obj e (Endpoint (ss @ [t]) []) s))"
  apply (subgoal_tac "waits s t Running")
   prefer 2
   apply (simp add: waits_def)
  apply (frule (2) running_not_queued)
  apply (frule (1) inv_queuesD)
  apply (subst inv_queues_def)
  apply (intro allI impI)
  apply (case_tac "ea = e")
   apply (auto simp: wake_waits put_apply split: if_splits)[1]
  apply (subgoal_tac "objs s ea = Some (Endpoint ssa rs)")
   prefer 2
   apply (simp add: put_apply split: if_splits)
  apply (frule_tac e = ea in running_not_queued)
    apply assumption
   apply assumption
  apply (drule_tac e = ea in inv_queuesD)
   apply assumption
  apply (auto simp: wake_waits)
  done

end
