exact ((fix rec (x : unit) : False :=
  let f (b : False) := match b return False with end in
  let g (x : unit) := x in
  rec ((ltac:(fix rec' 1; exact g) : unit -> unit) x)) tt).
Qed.
