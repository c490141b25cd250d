Lemma separate_sym : forall r s, separate r s -> separate s r.
Proof.
  intros r s H x Hs Hr.
  apply (H x); assumption.
Qed.
