Proof.
  pose (cycle := cofix cycle : chain rooted :=
    (cofix f : chain rooted := link rooted f g
     with g : both (chain rooted) rooted := pair_of (chain rooted) rooted cycle (root cycle) for f)).
  exact ((fix never (i : rooted) : False :=
    match i with root c => match c with link _ _ d => match d with pair_of _ _ _ j => never j end end end) (root cycle)).
Qed.
