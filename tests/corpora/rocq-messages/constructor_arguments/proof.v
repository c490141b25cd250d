Proof.
intros t. exact (match t with leaf => _ | node a => _ end).
Qed.
