(* Address spaces: page tables, what may be accessed through them, and who can see whose writes. *)

theory VSpace
  imports Stores Caps
begin

record pte =
  pte_frame :: nat
  pte_rights :: rights

type_synonym pagetable = "(nat, pte) store"
type_synonym memory = "nat \<Rightarrow> nat"

definition map_page :: "pagetable \<Rightarrow> nat \<Rightarrow> nat \<Rightarrow> rights \<Rightarrow> pagetable" where
  "map_page pt v f rs = put pt v \<lparr>pte_frame = f, pte_rights = rs\<rparr>"

text \<open>Take a frame out of the whole table, as must be done before it is used for something else.\<close>

definition unmap_frame :: "pagetable \<Rightarrow> nat \<Rightarrow> pagetable" where
  "unmap_frame pt f = (\<lambda>v. case pt v of None \<Rightarrow> None | Some e \<Rightarrow> if pte_frame e = f then None else Some e)"

text \<open>The address reaches the frame with the right.\<close>

definition access :: "pagetable \<Rightarrow> nat \<Rightarrow> nat \<Rightarrow> right \<Rightarrow> bool" where
  "access pt v f r \<longleftrightarrow> (\<exists>e. pt v = Some e \<and> pte_frame e = f \<and> has r (pte_rights e))"

definition reaches :: "pagetable \<Rightarrow> nat \<Rightarrow> right \<Rightarrow> bool" where
  "reaches pt f r \<longleftrightarrow> (\<exists>v. access pt v f r)"

text \<open>No entry gives more than is allowed for its frame.\<close>

definition authorised :: "(nat \<Rightarrow> rights) \<Rightarrow> pagetable \<Rightarrow> bool" where
  "authorised auth pt \<longleftrightarrow> (\<forall>v e. pt v = Some e \<longrightarrow> pte_rights e \<preceq> auth (pte_frame e))"

text \<open>What one space writes the other cannot read.\<close>

definition no_flow :: "pagetable \<Rightarrow> pagetable \<Rightarrow> bool" where
  "no_flow s t \<longleftrightarrow> (\<forall>f. reaches s f Write \<longrightarrow> \<not> reaches t f Read)"

definition store_word :: "memory \<Rightarrow> pagetable \<Rightarrow> nat \<Rightarrow> nat \<Rightarrow> memory" where
  "store_word m pt v x =
     (case pt v of
        None \<Rightarrow> m
      | Some e \<Rightarrow> if can_write (pte_rights e) then m(pte_frame e := x) else m)"

definition load_word :: "memory \<Rightarrow> pagetable \<Rightarrow> nat \<Rightarrow> nat option" where
  "load_word m pt v =
     (case pt v of
        None \<Rightarrow> None
      | Some e \<Rightarrow> if can_read (pte_rights e) then Some (m (pte_frame e)) else None)"


section \<open>Mapping and unmapping\<close>

lemma map_page_access: "access (map_page pt v f rs) v f r \<longleftrightarrow> has r rs"
  by (simp add: access_def map_page_def)

lemma forget_no_access: "\<not> access (forget pt v) v f r"
  by (simp add: access_def)

lemma unmap_frame_unreachable: "\<not> reaches (unmap_frame pt f) f r"
  by (auto simp: reaches_def access_def unmap_frame_def split: option.splits if_splits)

lemma unmap_frame_keeps_others: "g \<noteq> f \<Longrightarrow> access (unmap_frame pt f) v g r = access pt v g r"
  by (auto simp: access_def unmap_frame_def split: option.splits)

lemma unmap_frame_submap: "submap (unmap_frame pt f) pt"
  by (auto simp: submap_def unmap_frame_def split: option.splits if_splits)

lemma unmap_frame_commute: "unmap_frame (unmap_frame pt f) g = unmap_frame (unmap_frame pt g) f"
  by (rule ext) (auto simp: unmap_frame_def split: option.split)

lemma reaches_submap: "submap pt pt' \<Longrightarrow> reaches pt f r \<Longrightarrow> reaches pt' f r"
  apply (clarsimp simp: reaches_def access_def)
  apply (blast dest: submapD)
  done

lemma reaches_map_page:
  assumes "reaches (map_page pt v f rs) g r"
  shows "reaches pt g r \<or> g = f \<and> has r rs"
  using assms
  apply (clarsimp simp: reaches_def access_def map_page_def put_apply split: if_splits)
  apply blast
  done

lemma map_page_fresh_reaches:
  "pt v = None \<Longrightarrow> reaches (map_page pt v f rs) g r \<longleftrightarrow> reaches pt g r \<or> g = f \<and> has r rs"
  apply (rule iffI)
   apply (erule reaches_map_page)
  apply (erule disjE)
   apply (erule reaches_submap [rotated])
   apply (simp add: map_page_def submap_put_free)
  apply (simp add: reaches_def)
  apply (rule_tac x = v in exI)
  apply (simp add: map_page_access)
  done


section \<open>Authorised tables\<close>

lemma authorised_submap: "authorised auth pt' \<Longrightarrow> submap pt pt' \<Longrightarrow> authorised auth pt"
  by (auto simp: authorised_def submap_def)

lemma authorised_unmap_frame: "authorised auth pt \<Longrightarrow> authorised auth (unmap_frame pt f)"
  by (rule authorised_submap [OF _ unmap_frame_submap])

lemma authorised_map_page: "authorised auth pt \<Longrightarrow> rs \<preceq> auth f \<Longrightarrow> authorised auth (map_page pt v f rs)"
  by (simp add: authorised_def map_page_def put_apply)

lemma authorised_reaches:
  assumes "authorised auth pt" and "reaches pt f r"
  shows "has r (auth f)"
  using assms
  by (auto simp: authorised_def reaches_def access_def rights_le_def)

lemma authorised_pointwise:
  "authorised auth pt \<longleftrightarrow> (\<forall>v f r. access pt v f r \<longrightarrow> has r (auth f))"
  apply (rule iffI)
   apply (intro allI impI)
   apply (rule authorised_reaches)
    apply assumption
   apply (unfold reaches_def)
   apply (erule exI)
  apply (unfold authorised_def access_def rights_le_def)
  apply blast
  done


section \<open>Flow\<close>

lemma no_flow_map_private:
  assumes "no_flow s t" and "\<not> reaches t f Read"
  shows "no_flow (map_page s v f rs) t"
  using assms by (auto simp: no_flow_def dest: reaches_map_page)

lemma no_flow_map_read_only: "no_flow s t \<Longrightarrow> \<not> can_write rs \<Longrightarrow> no_flow (map_page s v f rs) t"
  apply (unfold no_flow_def)
  apply (intro allI impI)
  apply (drule reaches_map_page)
  apply simp
  done

lemma no_flow_submap: "no_flow s t \<Longrightarrow> submap s' s \<Longrightarrow> submap t' t \<Longrightarrow> no_flow s' t'"
  by (meson no_flow_def reaches_submap)

text \<open>To close the only channel it is enough to unmap its frame on the side that writes.\<close>

lemma no_flow_unmap:
  assumes others: "\<And>g. g \<noteq> f \<Longrightarrow> reaches s g Write \<Longrightarrow> \<not> reaches t g Read"
  shows "no_flow (unmap_frame s f) t"
  unfolding no_flow_def
proof (intro allI impI)
  fix g
  assume writes: "reaches (unmap_frame s f) g Write"
  then have "g \<noteq> f"
    by (auto simp: unmap_frame_unreachable)
  moreover have "reaches s g Write"
    using unmap_frame_submap writes by (rule reaches_submap)
  ultimately show "\<not> reaches t g Read"
    by (rule others)
qed


section \<open>Two spaces over one memory\<close>

locale observers =
  fixes writer reader :: pagetable
  assumes separated: "no_flow writer reader"
begin

lemma write_invisible: "load_word (store_word m writer v x) reader w = load_word m reader w"
  apply (clarsimp simp: load_word_def store_word_def split: option.splits)
  apply (insert separated)
  apply (simp add: no_flow_def reaches_def access_def)
  apply (metis has.simps(1) has.simps(2))
  done

fun store_all :: "memory \<Rightarrow> (nat \<times> nat) list \<Rightarrow> memory" where
  "store_all m [] = m"
| "store_all m ((v, x) # ws) = store_all (store_word m writer v x) ws"

text \<open>Nothing that the writer does, for however long, changes what the reader sees.\<close>

lemma writes_invisible: "load_word (store_all m ws) reader w = load_word m reader w"
  by (induct m ws rule: store_all.induct) (simp_all add: write_invisible)

lemma store_all_append: "store_all m (ws @ zs) = store_all (store_all m ws) zs"
  by (induct m ws rule: store_all.induct) simp_all

end

locale strangers = observers +
  assumes separated_back: "no_flow reader writer"
    and readable: "reaches writer f Write \<Longrightarrow> reaches writer f Read"
begin

lemma frames_differ:
  assumes "writer v = Some e" and "can_write (pte_rights e)"
    and "reader w = Some d" and "can_write (pte_rights d)"
  shows "pte_frame e \<noteq> pte_frame d"
proof
  assume same: "pte_frame e = pte_frame d"
  have "reaches writer (pte_frame e) Write"
    using assms(1,2) by (auto simp: reaches_def access_def)
  then have "reaches writer (pte_frame e) Read"
    by (rule readable)
  moreover have "reaches reader (pte_frame e) Write"
    using assms(3,4) same by (auto simp: reaches_def access_def)
  ultimately show False
    using separated_back by (simp add: no_flow_def)
qed

lemma writes_commute:
  "store_word (store_word m writer v x) reader w y = store_word (store_word m reader w y) writer v x"
  by (auto simp: store_word_def frames_differ intro: fun_upd_twist split: option.splits)

end

text \<open>A load sees what was stored through the same address, and in other frames what was there before.\<close>

lemma load_after_store:
  assumes "pt v = Some e" and "can_write (pte_rights e)" and "can_read (pte_rights e)"
  shows "load_word (store_word m pt v x) pt v = Some x"
    and "pt w = Some d \<Longrightarrow> pte_frame d \<noteq> pte_frame e \<Longrightarrow>
      load_word (store_word m pt v x) pt w = load_word m pt w"
  using assms
  by (simp_all add: load_word_def store_word_def)

end
