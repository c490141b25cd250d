(* What the kernel does: operations as a relation, and as computations of the state monad. *)

theory Ops
  imports Kernel Monad
begin

section \<open>Updates\<close>

definition free_slot :: "kstate \<Rightarrow> slot \<Rightarrow> bool" where
  "free_slot s p \<longleftrightarrow> valid_slot s p \<and> caps s p = None"

text \<open>Put a capability into the second slot as a child of the first.\<close>

definition insert_cap :: "slot \<Rightarrow> slot \<Rightarrow> cap \<Rightarrow> kstate \<Rightarrow> kstate" where
  "insert_cap src dst c s = s\<lparr>caps := put (caps s) dst c, parent := put (parent s) dst src\<rparr>"

text \<open>Empty a slot; its children go to its parent.\<close>

definition delete_cap :: "slot \<Rightarrow> kstate \<Rightarrow> kstate" where
  "delete_cap p s =
     s\<lparr>caps := forget (caps s) p,
       parent := (\<lambda>q. if q = p then None else if parent s q = Some p then parent s p else parent s q)\<rparr>"

definition delete_caps :: "slot list \<Rightarrow> kstate \<Rightarrow> kstate" where
  "delete_caps ps s = fold delete_cap ps s"

fun new_object :: "kind \<Rightarrow> obj" where
  "new_object KTcb = Tcb \<lparr>tcb_state = Running, tcb_bound = None, tcb_message = 0\<rparr>"
| "new_object KCNode = CNode \<lparr>guard = [], radix = 4\<rparr>"
| "new_object KEndpoint = Endpoint [] []"
| "new_object KNotification = Notification 0 None"
| "new_object KFrame = Frame"
| "new_object KPageTable = PageTable nothing"
| "new_object KUntyped = Untyped \<lparr>mark = 0, edge = 0\<rparr>"

lemma insert_cap_simps [simp]:
  "objs (insert_cap src dst c s) = objs s"
  "caps (insert_cap src dst c s) = put (caps s) dst c"
  "parent (insert_cap src dst c s) = put (parent s) dst src"
  by (simp_all add: insert_cap_def)

lemma delete_cap_simps [simp]:
  "objs (delete_cap p s) = objs s"
  "caps (delete_cap p s) = forget (caps s) p"
  "parent (delete_cap p s) q =
     (if q = p then None else if parent s q = Some p then parent s p else parent s q)"
  by (simp_all add: delete_cap_def)

lemma kind_at_caps [simp]:
  "kind_at (insert_cap src dst c s) a = kind_at s a"
  "kind_at (delete_cap p s) a = kind_at s a"
  by (simp_all add: kind_at_def)

lemma new_object_kind [simp]: "kind_of (new_object k) = k"
  by (cases k) simp_all


section \<open>Operations\<close>

datatype op =
    Copy slot slot
  | Mint slot slot rights nat
  | Delete slot
  | Revoke slot "slot list"
  | Retype slot slot nat kind nat
  | MapPage slot slot nat rights
  | UnmapPage slot nat
  | Send nat slot nat
  | Bind slot slot
  | Unbind slot

inductive step :: "kstate \<Rightarrow> op \<Rightarrow> kstate \<Rightarrow> bool" for s where
  copy: "caps s src = Some c \<Longrightarrow> free_slot s dst \<Longrightarrow> step s (Copy src dst) (insert_cap src dst c s)"
| mint: "caps s src = Some c \<Longrightarrow> free_slot s dst \<Longrightarrow> badgeable c \<Longrightarrow>
    step s (Mint src dst m b) (insert_cap src dst ((diminish m c)\<lparr>cap_badge := b\<rparr>) s)"
| delete: "caps s p = Some c \<Longrightarrow> step s (Delete p) (delete_cap p s)"
| revoke: "(\<And>q. q \<in> set ps \<longleftrightarrow> descendant s q p) \<Longrightarrow> step s (Revoke p ps) (delete_caps ps s)"
| retype: "caps s ut = Some c \<Longrightarrow> objs s (cap_obj c) = Some (Untyped u) \<Longrightarrow> cap_kind c = KUntyped \<Longrightarrow>
    carve sz u = Some (r, u') \<Longrightarrow> free_slot s dst \<Longrightarrow> objs s new = None \<Longrightarrow>
    step s (Retype ut dst new k sz)
      (insert_cap ut dst \<lparr>cap_kind = k, cap_obj = new, cap_rights = all_rights, cap_badge = 0\<rparr>
        (set_obj new (new_object k) (set_obj (cap_obj c) (Untyped u') s)))"
| map: "caps s ptc = Some c \<Longrightarrow> cap_kind c = KPageTable \<Longrightarrow> objs s (cap_obj c) = Some (PageTable pt) \<Longrightarrow>
    caps s frc = Some d \<Longrightarrow> cap_kind d = KFrame \<Longrightarrow>
    step s (MapPage ptc frc v rs)
      (set_obj (cap_obj c) (PageTable (map_page pt v (cap_obj d) (meet (cap_rights d) rs))) s)"
| unmap: "caps s ptc = Some c \<Longrightarrow> cap_kind c = KPageTable \<Longrightarrow> objs s (cap_obj c) = Some (PageTable pt) \<Longrightarrow>
    step s (UnmapPage ptc v) (set_obj (cap_obj c) (PageTable (forget pt v)) s)"
| send_wait: "caps s ep = Some c \<Longrightarrow> cap_kind c = KEndpoint \<Longrightarrow> has Write (cap_rights c) \<Longrightarrow>
    objs s t = Some (Tcb x) \<Longrightarrow> tcb_state x = Running \<Longrightarrow> objs s (cap_obj c) = Some (Endpoint ss []) \<Longrightarrow>
    step s (Send t ep m)
      (set_obj t (Tcb (x\<lparr>tcb_state := WaitSend (cap_obj c), tcb_message := m\<rparr>))
        (set_obj (cap_obj c) (Endpoint (ss @ [t]) []) s))"
| send_deliver: "caps s ep = Some c \<Longrightarrow> cap_kind c = KEndpoint \<Longrightarrow> has Write (cap_rights c) \<Longrightarrow>
    objs s t = Some (Tcb x) \<Longrightarrow> tcb_state x = Running \<Longrightarrow>
    objs s (cap_obj c) = Some (Endpoint [] (r # rs)) \<Longrightarrow> objs s r = Some (Tcb y) \<Longrightarrow>
    step s (Send t ep m)
      (set_obj r (Tcb (y\<lparr>tcb_state := Running, tcb_message := m\<rparr>))
        (set_obj (cap_obj c) (Endpoint [] rs) s))"
| bind: "caps s tc = Some c \<Longrightarrow> cap_kind c = KTcb \<Longrightarrow> objs s (cap_obj c) = Some (Tcb x) \<Longrightarrow>
    tcb_bound x = None \<Longrightarrow> caps s nc = Some d \<Longrightarrow> cap_kind d = KNotification \<Longrightarrow>
    objs s (cap_obj d) = Some (Notification w None) \<Longrightarrow> has Read (cap_rights d) \<Longrightarrow>
    step s (Bind tc nc)
      (set_obj (cap_obj d) (Notification w (Some (cap_obj c)))
        (set_obj (cap_obj c) (Tcb (x\<lparr>tcb_bound := Some (cap_obj d)\<rparr>)) s))"
| unbind: "caps s tc = Some c \<Longrightarrow> cap_kind c = KTcb \<Longrightarrow> objs s (cap_obj c) = Some (Tcb x) \<Longrightarrow>
    tcb_bound x = Some n \<Longrightarrow> objs s n = Some (Notification w (Some (cap_obj c))) \<Longrightarrow>
    step s (Unbind tc)
      (set_obj n (Notification w None) (set_obj (cap_obj c) (Tcb (x\<lparr>tcb_bound := None\<rparr>)) s))"

inductive steps :: "kstate \<Rightarrow> op list \<Rightarrow> kstate \<Rightarrow> bool" where
  none: "steps s [] s"
| more: "step s a s' \<Longrightarrow> steps s' as s'' \<Longrightarrow> steps s (a # as) s''"

inductive_cases mintE: "step s (Mint src dst m b) s'"
inductive_cases revokeE: "step s (Revoke p ps) s'"
inductive_cases mapE: "step s (MapPage ptc frc v rs) s'"

lemma delete_no_orphans:
  assumes "parent s p \<noteq> Some p"
  shows "parent (delete_cap p s) q \<noteq> Some p"
  using assms by simp

lemma delete_caps_objs [simp]: "objs (delete_caps ps s) = objs s"
  by (induct ps arbitrary: s) (simp_all add: delete_caps_def)

lemma forget_all_forget: "forget_all (forget m k) ks = forget (forget_all m ks) k"
  by (induct ks) (auto simp: forget_def)

lemma delete_caps_caps: "caps (delete_caps ps s) = forget_all (caps s) ps"
  by (induct ps arbitrary: s) (simp_all add: delete_caps_def forget_all_forget)

lemma delete_caps_submap: "submap (caps (delete_caps ps s)) (caps s)"
  by (simp add: delete_caps_caps forget_all_submap)

lemma kind_at_delete_caps [simp]: "kind_at (delete_caps ps s) a = kind_at s a"
  by (simp add: kind_at_def)

text \<open>Deleting one capability after the other, in whatever order, leaves the same ones.\<close>

lemma delete_cap_commute:
  assumes "ranked rank s"
  shows "delete_cap p (delete_cap q s) = delete_cap q (delete_cap p s)"
proof -
  have acyclic: "\<not> (parent s p = Some q \<and> parent s q = Some p)"
    using assms less_asym unfolding ranked_def by blast
  have "parent (delete_cap p (delete_cap q s)) x = parent (delete_cap q (delete_cap p s)) x" for x
    using acyclic by auto
  then have "parent (delete_cap p (delete_cap q s)) = parent (delete_cap q (delete_cap p s))" ..
  moreover have "forget (forget (caps s) q) p = forget (forget (caps s) p) q"
    by (rule ext) (simp add: forget_apply)
  ultimately show ?thesis
    by (simp add: delete_cap_def)
qed


section \<open>What single operations do\<close>

text \<open>After a revocation no derived capability is left.\<close>

lemma revoke_clears: "step s (Revoke p ps) s' \<Longrightarrow> descendant s q p \<Longrightarrow> caps s' q = None"
  by (erule revokeE) (simp add: delete_caps_caps forget_all_in)

text \<open>It touches nothing else, and not the revoked capability itself.\<close>

lemma revoke_spares_others:
  assumes "step s (Revoke p ps) s'" and "\<not> descendant s q p"
  shows "caps s' q = caps s q"
  using assms
  by (auto simp: delete_caps_caps forget_all_out elim: revokeE)

lemma revoke_spares_itself: "inv_forest s \<Longrightarrow> step s (Revoke p ps) s' \<Longrightarrow> caps s' p = caps s p"
  by (blast intro: revoke_spares_others dest: descendant_irreflexive)

lemma mint_below_source:
  assumes "step s (Mint src dst m b) s'"
  obtains c d where "caps s src = Some c" and "caps s' dst = Some d" and "cap_le d c"
  using assms
proof (rule mintE)
  fix c
  assume s': "s' = insert_cap src dst ((diminish m c)\<lparr>cap_badge := b\<rparr>) s"
    and c: "caps s src = Some c" and "badgeable c"
  then have "cap_le ((diminish m c)\<lparr>cap_badge := b\<rparr>) c"
    by (simp add: cap_le_def diminish_def badgeable_def meet_lower)
  moreover have "caps s' dst = Some ((diminish m c)\<lparr>cap_badge := b\<rparr>)"
    using s' by simp
  ultimately show thesis
    using that c by blast
qed

text \<open>Page rights never exceed those of the capability used for mapping.\<close>

lemma map_within_frame_rights:
  "step s (MapPage ptc frc v rs) s' \<Longrightarrow> caps s ptc = Some c \<Longrightarrow> caps s frc = Some d \<Longrightarrow>
   objs s' (cap_obj c) = Some (PageTable pt) \<Longrightarrow> access pt v (cap_obj d) r \<Longrightarrow> has r (cap_rights d) \<and> has r rs"
  apply (erule mapE)
  apply clarsimp
  apply (simp add: map_page_access)
  done

lemma steps_append: "steps s as s' \<Longrightarrow> steps s' bs s'' \<Longrightarrow> steps s (as @ bs) s''"
  by (induct rule: steps.induct) (auto intro: steps.intros)

lemma steps_split:
  assumes "steps s (as @ bs) s''"
  obtains s' where "steps s as s'" and "steps s' bs s''"
proof -
  have "\<exists>s'. steps s as s' \<and> steps s' bs s''"
    using assms
  proof (induct as arbitrary: s)
    case Nil
    then show ?case
      by (auto intro: steps.none)
  next
    case (Cons a as)
    from Cons.prems obtain s1 where "step s a s1" and rest: "steps s1 (as @ bs) s''"
      by cases auto
    with Cons.hyps [OF rest] show ?case
      by (blast intro: steps.more)
  qed
  then show thesis
    using that by blast
qed

lemma steps_snoc: "steps s as s' \<Longrightarrow> step s' a s'' \<Longrightarrow> steps s (as @ [a]) s''"
  apply (erule steps_append)
  apply (erule steps.more)
  apply (rule steps.none)
  done


section \<open>Operations as computations\<close>

definition cap_at :: "slot \<Rightarrow> (kstate, cap) comp" where
  "cap_at p = gets (\<lambda>s. caps s p) \<bind> from_option"

definition obj_at :: "nat \<Rightarrow> (kstate, obj) comp" where
  "obj_at a = gets (\<lambda>s. objs s a) \<bind> from_option"

definition into_slot :: "slot \<Rightarrow> slot \<Rightarrow> cap \<Rightarrow> (kstate, unit) comp" where
  "into_slot src dst c =
     gets (\<lambda>s. free_slot s dst) \<bind> (\<lambda>free. guard_on free \<bind> (\<lambda>_. update (insert_cap src dst c)))"

definition do_copy :: "slot \<Rightarrow> slot \<Rightarrow> (kstate, unit) comp" where
  "do_copy src dst = cap_at src \<bind> into_slot src dst"

definition do_mint :: "slot \<Rightarrow> slot \<Rightarrow> rights \<Rightarrow> nat \<Rightarrow> (kstate, unit) comp" where
  "do_mint src dst m b =
     cap_at src \<bind> (\<lambda>c. guard_on (badgeable c) \<bind> (\<lambda>_.
       into_slot src dst ((diminish m c)\<lparr>cap_badge := b\<rparr>)))"

definition do_delete :: "slot \<Rightarrow> (kstate, unit) comp" where
  "do_delete p = cap_at p \<bind> (\<lambda>_. update (delete_cap p))"

definition do_revoke :: "slot \<Rightarrow> slot list \<Rightarrow> (kstate, unit) comp" where
  "do_revoke p ps =
     gets (\<lambda>s. \<forall>q. q \<in> set ps \<longleftrightarrow> descendant s q p) \<bind> (\<lambda>exact.
       guard_on exact \<bind> (\<lambda>_. for_each ps (\<lambda>q. update (delete_cap q))))"

definition table_at :: "slot \<Rightarrow> (kstate, nat \<times> pagetable) comp" where
  "table_at p =
     cap_at p \<bind> (\<lambda>c. guard_on (cap_kind c = KPageTable) \<bind> (\<lambda>_. obj_at (cap_obj c) \<bind> (\<lambda>x.
       case x of PageTable pt \<Rightarrow> give (cap_obj c, pt) | _ \<Rightarrow> stop)))"

definition do_map :: "slot \<Rightarrow> slot \<Rightarrow> nat \<Rightarrow> rights \<Rightarrow> (kstate, unit) comp" where
  "do_map ptc frc v rs =
     table_at ptc \<bind> (\<lambda>(a, pt). cap_at frc \<bind> (\<lambda>d. guard_on (cap_kind d = KFrame) \<bind> (\<lambda>_.
       update (set_obj a (PageTable (map_page pt v (cap_obj d) (meet (cap_rights d) rs)))))))"

definition do_unmap :: "slot \<Rightarrow> nat \<Rightarrow> (kstate, unit) comp" where
  "do_unmap ptc v = table_at ptc \<bind> (\<lambda>(a, pt). update (set_obj a (PageTable (forget pt v))))"

lemma cap_at_success [simp]: "cap_at p s = Some (c, s') \<longleftrightarrow> caps s p = Some c \<and> s' = s"
  by (auto simp: cap_at_def elim!: andthen_success) (simp add: andthen_def gets_def from_option_def give_def)

lemma andthen_success_iff:
  "(f \<bind> g) s = Some (b, s'') \<longleftrightarrow> (\<exists>a s'. f s = Some (a, s') \<and> g a s' = Some (b, s''))"
  by (auto simp: andthen_def split: option.splits)

lemma obj_at_success [simp]: "obj_at a s = Some (x, s') \<longleftrightarrow> objs s a = Some x \<and> s' = s"
  by (auto simp: obj_at_def andthen_success_iff)

lemma only_table_success:
  "(case x of PageTable pt \<Rightarrow> give (b, pt) | _ \<Rightarrow> stop) s = Some ((a, q), s') \<longleftrightarrow>
     x = PageTable q \<and> a = b \<and> s' = s"
  by (cases x) (auto simp: stop_def)

lemma table_at_success [simp]:
  "table_at p s = Some ((a, pt), s') \<longleftrightarrow>
     s' = s \<and> objs s a = Some (PageTable pt) \<and>
     (\<exists>c. caps s p = Some c \<and> cap_kind c = KPageTable \<and> cap_obj c = a)"
  by (auto simp: table_at_def andthen_success_iff only_table_success)

text \<open>The computations do what the relation says, and nothing else.\<close>

lemma do_copy_iff: "do_copy src dst s = Some ((), s') \<longleftrightarrow> step s (Copy src dst) s'"
  by (auto simp: do_copy_def into_slot_def andthen_success_iff intro: step.copy elim: step.cases)

lemma do_mint_iff: "do_mint src dst m b s = Some ((), s') \<longleftrightarrow> step s (Mint src dst m b) s'"
  by (auto simp: do_mint_def into_slot_def andthen_success_iff intro: step.mint elim: step.cases)

lemma do_delete_iff: "do_delete p s = Some ((), s') \<longleftrightarrow> step s (Delete p) s'"
  by (auto simp: do_delete_def andthen_success_iff intro: step.delete elim: step.cases)

lemma do_revoke_iff: "do_revoke p ps s = Some ((), s') \<longleftrightarrow> step s (Revoke p ps) s'"
  apply (simp add: do_revoke_def andthen_success_iff for_each_update)
  apply (rule iffI)
   apply (fold delete_caps_def)
   apply (clarsimp simp: step.revoke)
  apply (erule revokeE)
  apply simp
  done

lemma do_map_iff: "do_map ptc frc v rs s = Some ((), s') \<longleftrightarrow> step s (MapPage ptc frc v rs) s'"
  apply (rule iffI)
   apply (clarsimp simp: do_map_def andthen_success_iff)
   apply (blast intro: step.map)
  apply (erule mapE)
  apply (simp add: do_map_def andthen_success_iff)
  done

lemma do_unmap_iff: "do_unmap ptc v s = Some ((), s') \<longleftrightarrow> step s (UnmapPage ptc v) s'"
  by (fastforce simp: do_unmap_def andthen_success_iff intro: step.unmap elim: step.cases)

lemma do_copy_leaves_objs: "leaves (do_copy src dst) objs"
  by (auto simp: leaves_def do_copy_iff elim: step.cases)

lemma do_delete_empties: "\<lbrace>\<lambda>_. True\<rbrace> do_delete p \<lbrace>\<lambda>_ s. caps s p = None\<rbrace>"
  by (auto simp: triple_def do_delete_def andthen_success_iff)

lemma do_map_leaves_caps: "leaves (do_map ptc frc v rs) (\<lambda>s. (caps s, parent s))"
  by (auto simp: leaves_def do_map_def andthen_success_iff)

text \<open>A copy that may be made is made, and finds its way into the slot.\<close>

lemma do_copy_assured:
  "assured (\<lambda>s. caps s src = Some c \<and> free_slot s dst) (do_copy src dst)
     (\<lambda>_ s. caps s dst = Some c \<and> parent s dst = Some src)"
  unfolding assured_def
proof (intro allI impI, elim conjE)
  fix s
  assume "caps s src = Some c" and "free_slot s dst"
  then have "do_copy src dst s = Some ((), insert_cap src dst c s)"
    by (simp add: do_copy_iff step.copy)
  then show "\<exists>a s'. do_copy src dst s = Some (a, s') \<and> caps s' dst = Some c \<and> parent s' dst = Some src"
    by simp
qed

text \<open>Copy and delete undo one another.\<close>

lemma copy_then_delete:
  "\<lbrace>\<lambda>s. caps s = m \<and> inv_slots s\<rbrace> do_copy src dst \<bind> (\<lambda>_. do_delete dst) \<lbrace>\<lambda>_ s. caps s = m\<rbrace>"
  apply (simp add: triple_def andthen_success_iff do_copy_def into_slot_def do_delete_def)
  apply (intro allI impI)
  apply (clarsimp simp: free_slot_def)
  apply (rule forget_put_restores)
  apply assumption
  done

end
