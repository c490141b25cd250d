  (* nothing *)
