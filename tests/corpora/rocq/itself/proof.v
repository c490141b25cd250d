Proof. exact mirror_size. Qed.
