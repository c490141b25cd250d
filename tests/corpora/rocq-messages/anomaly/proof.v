Proof.
assert (k : unit -> unit). fix rec 1.
refine (fun u => match _ with tt => fun _ => tt end rec). exact_no_check Type. Guarded.
Qed.
