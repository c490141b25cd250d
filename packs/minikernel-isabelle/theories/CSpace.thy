(* Capability spaces: guarded, multi-level lookup of an address of bits. *)

theory CSpace
  imports Caps
begin

text \<open>A node and a place in it.\<close>

datatype slot = Slot (slot_node: nat) (slot_place: nat)

text \<open>A node first eats its guard, then \<open>radix\<close> bits that choose one of its slots.\<close>

record cnode =
  guard :: "bool list"
  radix :: nat

fun strip :: "bool list \<Rightarrow> bool list \<Rightarrow> bool list option" where
  "strip [] addr = Some addr"
| "strip (b # g) (c # addr) = (if b = c then strip g addr else None)"
| "strip (b # g) [] = None"

fun cut :: "nat \<Rightarrow> bool list \<Rightarrow> (bool list \<times> bool list) option" where
  "cut 0 addr = Some ([], addr)"
| "cut (Suc n) [] = None"
| "cut (Suc n) (b # addr) = map_option (\<lambda>(x, y). (b # x, y)) (cut n addr)"

text \<open>The number that a string of bits stands for, first bit lowest.\<close>

fun index :: "bool list \<Rightarrow> nat" where
  "index [] = 0"
| "index (b # bits) = of_bool b + 2 * index bits"


section \<open>Bits\<close>

lemma strip_iff: "strip g addr = Some rest \<longleftrightarrow> addr = g @ rest"
  by (induct g addr rule: strip.induct) auto

lemma strip_append [simp]: "strip g (g @ rest) = Some rest"
  by (simp add: strip_iff)

lemma strip_compose:
  "strip (g @ h) addr = (case strip g addr of None \<Rightarrow> None | Some rest \<Rightarrow> strip h rest)"
  by (induct g addr rule: strip.induct) (auto split: option.splits)

lemma cut_sound: "cut n addr = Some (x, y) \<Longrightarrow> addr = x @ y \<and> length x = n"
  apply (induct n addr arbitrary: x rule: cut.induct)
    apply simp
   apply simp
  apply clarsimp
  done

lemma cut_append [simp]: "cut (length x) (x @ y) = Some (x, y)"
  by (induct x) simp_all

lemma cut_iff: "cut n addr = Some (x, y) \<longleftrightarrow> addr = x @ y \<and> length x = n"
  by (auto dest: cut_sound)

lemma cut_succeeds_iff: "cut n addr \<noteq> None \<longleftrightarrow> n \<le> length addr"
  by (induct n addr rule: cut.induct) auto

lemma index_bound: "index bits < 2 ^ length bits"
  by (induct bits) auto

lemma index_injective:
  assumes "length x = length y" and "index x = index y"
  shows "x = y"
  using assms
proof (induct x y rule: list_induct2)
  case Nil
  then show ?case by simp
next
  case (Cons a x b y)
  have "a = b"
    using arg_cong [OF Cons.prems, of even] by (cases a; cases b) simp_all
  moreover from this have "index x = index y"
    using Cons.prems by simp
  ultimately show ?case
    using Cons.hyps by simp
qed

text \<open>Every slot of a node has an address.\<close>

lemma index_surjective:
  assumes "k < 2 ^ n"
  obtains bits where "length bits = n" and "index bits = k"
proof -
  have "\<exists>bits. length bits = n \<and> index bits = k"
    using assms
  proof (induct n arbitrary: k)
    case 0
    then show ?case by simp
  next
    case (Suc n)
    then have "k div 2 < 2 ^ n"
      by simp
    then obtain bits where "length bits = n" and "index bits = k div 2"
      using Suc.hyps by blast
    then have "length (odd k # bits) = Suc n" and "index (odd k # bits) = k"
      by (simp_all add: of_bool_odd_eq_mod_2)
    then show ?case
      by blast
  qed
  then show thesis
    using that by blast
qed


section \<open>Lookup\<close>

locale cspace =
  fixes nodes :: "nat \<Rightarrow> cnode option"
    and caps :: "slot \<Rightarrow> cap option"
begin

text \<open>What the kernel runs; the first argument bounds the number of nodes visited.\<close>

fun resolve :: "nat \<Rightarrow> nat \<Rightarrow> bool list \<Rightarrow> slot option" where
  "resolve 0 n addr = None"
| "resolve (Suc fuel) n addr =
     (case nodes n of
        None \<Rightarrow> None
      | Some cn \<Rightarrow>
          (case strip (guard cn) addr of
             None \<Rightarrow> None
           | Some rest \<Rightarrow>
               (case cut (radix cn) rest of
                  None \<Rightarrow> None
                | Some (bits, rest') \<Rightarrow>
                    if rest' = [] then Some (Slot n (index bits))
                    else
                      (case caps (Slot n (index bits)) of
                         None \<Rightarrow> None
                       | Some c \<Rightarrow>
                           if cap_kind c = KCNode then resolve fuel (cap_obj c) rest' else None))))"

text \<open>What it should find.\<close>

inductive walks :: "nat \<Rightarrow> bool list \<Rightarrow> slot \<Rightarrow> bool" where
  here: "nodes n = Some cn \<Longrightarrow> length bits = radix cn \<Longrightarrow> walks n (guard cn @ bits) (Slot n (index bits))"
| down: "nodes n = Some cn \<Longrightarrow> length bits = radix cn \<Longrightarrow> rest \<noteq> [] \<Longrightarrow>
    caps (Slot n (index bits)) = Some c \<Longrightarrow> cap_kind c = KCNode \<Longrightarrow> walks (cap_obj c) rest p \<Longrightarrow>
    walks n (guard cn @ bits @ rest) p"

lemma resolve_sound: "resolve fuel n addr = Some p \<Longrightarrow> walks n addr p"
  apply (induct fuel n addr rule: resolve.induct)
   apply simp
  apply (clarsimp simp: strip_iff cut_iff split: option.splits if_splits)
    apply (erule here)
    apply assumption
   apply (fastforce intro: here)
  apply (erule down)
      apply assumption+
  apply blast
  done

lemma resolve_complete:
  assumes "walks n addr p"
  obtains fuel where "resolve fuel n addr = Some p"
proof -
  from assms have "\<exists>fuel. resolve fuel n addr = Some p"
  proof induct
    case (here n cn bits)
    then have "resolve 1 n (guard cn @ bits) = Some (Slot n (index bits))"
      using cut_append [of bits "[]"] by simp
    then show ?case ..
  next
    case (down n cn bits rest c p)
    then obtain fuel where "resolve fuel (cap_obj c) rest = Some p"
      by blast
    then have "resolve (Suc fuel) n (guard cn @ bits @ rest) = Some p"
      using down cut_append [of bits rest] by simp
    then show ?case ..
  qed
  then show thesis
    using that by blast
qed

lemma resolve_more_fuel: "resolve fuel n addr = Some p \<Longrightarrow> fuel \<le> fuel' \<Longrightarrow> resolve fuel' n addr = Some p"
  apply (induct fuel arbitrary: fuel' n addr)
   apply simp
  apply (case_tac fuel')
   apply simp
  apply (simp only: resolve.simps Suc_le_mono)
  apply (clarsimp split: option.split_asm prod.split_asm if_split_asm)
  done

text \<open>An address names at most one slot.\<close>

lemma walks_deterministic:
  assumes "walks n addr p" and "walks n addr q"
  shows "p = q"
proof -
  obtain f where "resolve f n addr = Some p"
    using assms(1) by (rule resolve_complete)
  then have "resolve (max f g) n addr = Some p" for g
    by (rule resolve_more_fuel) simp
  moreover obtain g where "resolve g n addr = Some q"
    using assms(2) by (rule resolve_complete)
  then have "resolve (max f g) n addr = Some q"
    by (rule resolve_more_fuel) simp
  ultimately show ?thesis
    by simp
qed

lemma walks_slot_valid: "walks n addr p \<Longrightarrow> \<exists>cn. nodes (slot_node p) = Some cn \<and> slot_place p < 2 ^ radix cn"
  apply (induct rule: walks.induct)
   apply (metis index_bound slot.sel)
  apply assumption
  done

end

locale grounded_cspace = cspace +
  assumes progress: "nodes n = Some cn \<Longrightarrow> 0 < length (guard cn) + radix cn"
begin

lemma walks_nonempty: "walks n addr p \<Longrightarrow> addr \<noteq> []"
  by (erule walks.cases) (auto dest: progress)

text \<open>If every node eats at least one bit, the length of the address is fuel enough.\<close>

lemma resolve_enough_fuel:
  assumes "walks n addr p" and "length addr \<le> fuel"
  shows "resolve fuel n addr = Some p"
  using assms
proof (induct arbitrary: fuel)
  case (here n cn bits)
  then obtain fuel' where "fuel = Suc fuel'"
    using progress [of n cn] by (cases fuel) auto
  then show ?case
    using here cut_append [of bits "[]"] by simp
next
  case (down n cn bits rest c p)
  then obtain fuel' where fuel: "fuel = Suc fuel'"
    by (cases fuel) auto
  have "length rest \<le> fuel'"
    using progress [OF down.hyps(1)] down.hyps(2) down.prems unfolding fuel length_append by linarith
  then have "resolve fuel' (cap_obj c) rest = Some p"
    by (rule down.hyps)
  then show ?case
    using down fuel cut_append [of bits rest] by simp
qed

end

lemma (in grounded_cspace) resolve_iff_walks: "resolve (length addr) n addr = Some p \<longleftrightarrow> walks n addr p"
  by (blast intro: resolve_sound resolve_enough_fuel)

lemma (in cspace) resolve_one_slot:
  assumes "resolve f n addr = Some p" and "resolve g n addr = Some q"
  shows "p = q"
  using assms by (blast intro: walks_deterministic resolve_sound)

lemma walks_more_caps:
  assumes "cspace.walks nodes caps n addr p" and "\<And>q c. caps q = Some c \<Longrightarrow> caps' q = Some c"
  shows "cspace.walks nodes caps' n addr p"
  using assms(1)
  apply (rule cspace.walks.induct)
   apply (blast intro: cspace.walks.here)
  apply (blast intro: cspace.walks.down assms(2))
  done

end
