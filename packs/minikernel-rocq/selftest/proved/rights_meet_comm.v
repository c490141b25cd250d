Proof.
  intros [[] [] []] [[] [] []]; reflexivity.
Qed.
