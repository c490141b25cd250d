Proof. intros. apply conj_swapp. Qed.
