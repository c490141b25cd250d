(* restated *)
lemma dbl_length: "length (dbl xs) = length xs"
  by (induct xs) auto