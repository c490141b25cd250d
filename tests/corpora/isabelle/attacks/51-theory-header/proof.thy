theory T imports Main keywords "proof" :: diag begin
lemma dbl_length: "length (dbl xs) = length xs" by simp
end