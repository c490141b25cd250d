Proof using. abstract (intro n; auto). Qed.
