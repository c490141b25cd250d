Proof.
  intro n.
  destruct n.
  - reflexivity.
  - reflexivity.
Qed.
