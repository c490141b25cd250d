Proof. let rec go := first [assumption | split; go | intros [? ?]; go] in (intros P Q; go). Qed.
