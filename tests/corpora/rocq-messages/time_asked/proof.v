Proof.
timeout 1 (let rec go n := idtac; go n in go 0).
Qed.
