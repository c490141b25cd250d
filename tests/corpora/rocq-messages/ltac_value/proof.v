Proof.
let x := 1 in apply x.
Qed.
