Proof.
  intros m n o Hmn Hno k v H.
  apply Hno.
  apply Hmn.
  exact H.
Qed.
