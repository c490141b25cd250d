Open Scope nat_scope.
Proof. auto. Qed.
