Coercion f : A >-> B.
Proof. auto. Qed.
