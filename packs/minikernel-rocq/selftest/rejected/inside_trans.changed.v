Lemma inside_trans : forall r s t, inside r s -> inside s t -> inside r r.
Proof.
  intros r s t _ _ x H; exact H.
Qed.
