  (* A cycle would be its own descendant. *)
  using assms
  by (blast dest: descendant_trans descendant_irreflexive) \<comment> \<open>both ways round\<close>
