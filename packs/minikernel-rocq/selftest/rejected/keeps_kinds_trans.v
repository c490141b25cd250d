(* Nothing but a comment. *)
