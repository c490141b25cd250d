Proof with idtac using n. abstract (intro n; auto). Qed.
