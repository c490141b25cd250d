Proof. assert (H : exists m : nat, m > 1 /\ m < 3). { eexists; split; [ shelve | ]. instantiate (1 := 2). lia. Unshelve. lia. } induction n. - auto. - simpl. lia. Qed.
