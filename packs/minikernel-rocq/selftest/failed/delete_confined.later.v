Proof.
  intros s p d o r H.
  apply (step_confined s (Delete p) (delete s p) (owner (fst p)) d o r); assumption.
Qed.
