Proof. induction n. - auto. - assert (H : n <= S n) by auto. simpl. lia. Qed.
