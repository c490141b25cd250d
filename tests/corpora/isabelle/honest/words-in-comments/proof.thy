(* sorry oops ML \<proof> *)
by (induct xs) auto