(* Who may do what: confinement of authority, integrity, isolation. *)

theory Authority
  imports Invariants
begin

fun slots_of :: "op \<Rightarrow> slot list" where
  "slots_of (Copy p q) = [p, q]"
| "slots_of (Mint p q _ _) = [p, q]"
| "slots_of (Delete p) = [p]"
| "slots_of (Revoke p _) = [p]"
| "slots_of (Retype p q _ _ _) = [p, q]"
| "slots_of (MapPage p q _ _) = [p, q]"
| "slots_of (UnmapPage p _) = [p]"
| "slots_of (Send _ p _) = [p]"
| "slots_of (Bind p q) = [p, q]"
| "slots_of (Unbind p) = [p]"

text \<open>Every object, and with it every slot inside it, belongs to one partition.\<close>

locale partitions =
  fixes owner :: "nat \<Rightarrow> 'd"
begin

definition holds :: "kstate \<Rightarrow> 'd \<Rightarrow> nat \<Rightarrow> right \<Rightarrow> bool" where
  "holds s d a r \<longleftrightarrow> (\<exists>p c. caps s p = Some c \<and> owner (slot_node p) = d \<and> cap_obj c = a \<and> has r (cap_rights c))"

definition names :: "kstate \<Rightarrow> 'd \<Rightarrow> nat \<Rightarrow> bool" where
  "names s d a \<longleftrightarrow> (\<exists>p c. caps s p = Some c \<and> owner (slot_node p) = d \<and> cap_obj c = a)"

text \<open>All slots named by the operation lie in the partition.\<close>

definition issued_by :: "'d \<Rightarrow> op \<Rightarrow> bool" where
  "issued_by d a \<longleftrightarrow> (\<forall>p \<in> set (slots_of a). owner (slot_node p) = d)"

lemma holds_fewer_caps: "holds s' d a r \<Longrightarrow> submap (caps s') (caps s) \<Longrightarrow> holds s d a r"
  unfolding holds_def submap_def by blast

lemma holds_names: "holds s d a r \<Longrightarrow> names s d a"
  by (auto simp: holds_def names_def)

lemma delete_confined: "holds (delete_cap p s) d a r \<Longrightarrow> holds s d a r"
  by (erule holds_fewer_caps) (simp add: submap_forget)

text \<open>What is put into a slot of the same partition, from below one that it holds, adds nothing.\<close>

lemma insert_confined:
  assumes "holds (insert_cap src dst c' s) d a r"
    and "caps s src = Some c" and "cap_le c' c" and "owner (slot_node src) = owner (slot_node dst)"
  shows "holds s d a r"
proof -
  from assms(1) obtain p e where e: "put (caps s) dst c' p = Some e"
    and p: "owner (slot_node p) = d" "cap_obj e = a" "has r (cap_rights e)"
    by (auto simp: holds_def)
  show ?thesis
  proof (cases "p = dst")
    case True
    then have "cap_obj c = a" and "has r (cap_rights c)"
      using e p assms(3) by (auto simp: cap_le_def rights_le_def)
    then show ?thesis
      using assms(2,4) p(1) True by (auto simp: holds_def)
  next
    case False
    then show ?thesis
      using e p by (auto simp: holds_def)
  qed
qed

text \<open>One operation gives no partition any right over an object that was there before.\<close>

lemma step_confined:
  "step s a s' \<Longrightarrow> issued_by d a \<Longrightarrow> objs s x \<noteq> None \<Longrightarrow> holds s' e x r \<Longrightarrow> holds s e x r"
  apply (erule step.cases; hypsubst)
            apply (erule (1) insert_confined, rule cap_le_refl, simp add: issued_by_def)
           apply (erule (1) insert_confined)
            apply (simp add: cap_le_def diminish_def badgeable_def meet_lower)
           apply (simp add: issued_by_def)
          apply (erule delete_confined)
         apply (erule holds_fewer_caps)
         apply (rule delete_caps_submap)
        apply (fastforce simp: holds_def put_apply issued_by_def split: if_splits)
       apply (simp_all add: holds_def)
  done

lemma step_keeps_objects:
  assumes "step s a s'" and "objs s x \<noteq> None"
  shows "objs s' x \<noteq> None"
proof -
  from assms(2) obtain y where "kind_at s x = Some (kind_of y)"
    by (auto simp: kind_at_def)
  then have "kind_at s' x = Some (kind_of y)"
    using step_keeps_kinds [OF assms(1)] by (simp add: keeps_kinds_def submap_def)
  then show ?thesis
    by (auto simp: kind_at_def)
qed

text \<open>Authority confinement: whatever a partition does, for however long.\<close>

theorem authority_confinement:
  assumes "steps s as s'" and "\<forall>a \<in> set as. issued_by d a" and "objs s x \<noteq> None" and "holds s' e x r"
  shows "holds s e x r"
  using assms
proof (induct rule: steps.induct)
  case (none s)
  then show ?case by simp
next
  case (more s a s1 as s2)
  have "objs s1 x \<noteq> None"
    using more.hyps(1) more.prems(2) by (rule step_keeps_objects)
  then have "holds s1 e x r"
    using more by simp
  then show ?case
    using more by (auto intro: step_confined)
qed

text \<open>A partition that starts without a right to an object never gets it by its own doing.\<close>

lemma never_gains:
  "steps s as s' \<Longrightarrow> \<forall>a \<in> set as. issued_by d a \<Longrightarrow> objs s x \<noteq> None \<Longrightarrow> \<not> holds s d x r \<Longrightarrow> \<not> holds s' d x r"
  by (blast dest: authority_confinement)

lemma names_fewer_caps: "names s' d a \<Longrightarrow> submap (caps s') (caps s) \<Longrightarrow> names s d a"
  unfolding names_def submap_def by blast

lemma insert_names_confined:
  assumes "names (insert_cap src dst c' s) d a"
    and "caps s src = Some c" and "cap_obj c' = cap_obj c" and "owner (slot_node src) = owner (slot_node dst)"
  shows "names s d a"
  using assms
  by (auto simp: names_def put_apply split: if_splits)

lemma step_names_confined:
  "step s a s' \<Longrightarrow> issued_by d a \<Longrightarrow> objs s x \<noteq> None \<Longrightarrow> names s' e x \<Longrightarrow> names s e x"
  apply (erule step.cases; clarsimp simp: issued_by_def)
            apply (erule insert_names_confined)
              apply assumption
             apply simp
            apply simp
           apply (erule insert_names_confined)
             apply assumption
            apply (simp add: diminish_def)
           apply simp
          apply (erule names_fewer_caps)
          apply (simp add: submap_forget)
         apply (erule names_fewer_caps)
         apply (rule delete_caps_submap)
        apply (fastforce simp: names_def put_apply split: if_splits)
       apply (simp_all add: names_def)
  done

text \<open>Integrity: page tables are changed only by those who hold a capability to them.\<close>

lemma page_table_integrity:
  "step s a s' \<Longrightarrow> issued_by d a \<Longrightarrow> objs s x = Some (PageTable pt) \<Longrightarrow> \<not> names s d x \<Longrightarrow>
   objs s' x = Some (PageTable pt)"
  apply (erule step.cases)
            apply simp
           apply simp
          apply simp
         apply simp
        apply (auto simp: put_apply)[1]
       apply (auto simp: names_def put_apply issued_by_def)[1]
      apply (auto simp: names_def put_apply issued_by_def)[1]
     apply (auto simp: put_apply)[1]
    apply (auto simp: put_apply)[1]
   apply (auto simp: put_apply)[1]
  apply (auto simp: put_apply)[1]
  done

lemma issued_by_append:
  "(\<forall>a \<in> set (as @ bs). issued_by d a) \<longleftrightarrow> (\<forall>a \<in> set as. issued_by d a) \<and> (\<forall>a \<in> set bs. issued_by d a)"
  by auto

end

locale isolated = partitions +
  fixes attacker :: 'a and table :: nat
begin

text \<open>A page table that no capability of the attacker names.\<close>

definition out_of_reach :: "kstate \<Rightarrow> bool" where
  "out_of_reach s \<longleftrightarrow> kind_at s table = Some KPageTable \<and> \<not> names s attacker table"

lemma out_of_reach_step:
  assumes "out_of_reach s" and "step s a s'" and "issued_by attacker a"
  shows "out_of_reach s'"
proof -
  have "kind_at s' table = Some KPageTable"
    using assms(1) step_keeps_kinds [OF assms(2)]
    by (simp add: out_of_reach_def keeps_kinds_def submap_def)
  moreover have "objs s table \<noteq> None"
    using assms(1) by (auto simp: out_of_reach_def kind_at_def)
  ultimately show ?thesis
    using assms step_names_confined by (auto simp: out_of_reach_def)
qed

lemma out_of_reach_table: "out_of_reach s \<Longrightarrow> \<exists>pt. objs s table = Some (PageTable pt)"
  apply (clarsimp simp: out_of_reach_def kind_at_def)
  apply (case_tac z)
        apply simp_all
  done

lemma table_step:
  "out_of_reach s \<Longrightarrow> step s a s' \<Longrightarrow> issued_by attacker a \<Longrightarrow> objs s' table = objs s table"
  apply (frule out_of_reach_table)
  apply (clarsimp simp: out_of_reach_def)
  apply (erule (3) page_table_integrity)
  done

text \<open>It stays as it is, whatever the attacker does.\<close>

theorem isolated_table:
  assumes "steps s as s'" and "\<forall>a \<in> set as. issued_by attacker a" and "out_of_reach s"
  shows "objs s' table = objs s table"
  using assms
proof induct
  case (none s)
  then show ?case by simp
next
  case (more s a s1 as s2)
  have by_attacker: "issued_by attacker a"
    using more.prems(1) by simp
  have "objs s1 table = objs s table"
    using more.prems(2) more.hyps(1) by_attacker by (rule table_step)
  moreover have "out_of_reach s1"
    using more.prems(2) more.hyps(1) by_attacker by (rule out_of_reach_step)
  ultimately show ?case
    using more by simp
qed

end

context partitions
begin

text \<open>The same for any partition and any table that it does not name.\<close>

lemma isolated_reaches:
  fixes d :: 'd
  assumes "steps s as s'" and "\<forall>a \<in> set as. issued_by d a"
    and "objs s x = Some (PageTable pt)" and "\<not> names s d x"
  shows "objs s' x = Some (PageTable pt)"
proof -
  interpret isolated owner d x .
  have "out_of_reach s"
    using assms(3,4) by (simp add: out_of_reach_def kind_at_def)
  then have "objs s' x = objs s x"
    using assms(1,2) by (blast intro: isolated_table)
  then show ?thesis
    using assms(3) by simp
qed

end

lemma (in partitions) grant_needs_grant:
  assumes "steps s as s'" and "\<forall>a \<in> set as. issued_by d a"
    and "objs s x \<noteq> None" and "\<And>e. \<not> holds s e x Grant"
  shows "\<not> holds s' e x Grant"
  using assms authority_confinement by blast

lemma (in isolated) table_reaches:
  assumes "steps s as s'" and "\<forall>a \<in> set as. issued_by attacker a" and "out_of_reach s"
  obtains pt where "objs s table = Some (PageTable pt)" and "objs s' table = Some (PageTable pt)"
proof -
  obtain pt where "objs s table = Some (PageTable pt)"
    using out_of_reach_table [OF assms(3)] by blast
  then show thesis
    using that isolated_table [OF assms] by simp
qed

end
