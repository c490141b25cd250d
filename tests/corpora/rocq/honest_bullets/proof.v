Proof.
  intros P Q [HP HQ]. split.
  - exact HQ.
  - exact HP.
Qed.
