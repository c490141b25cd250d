Proof. Conjecture a : False. Qed.
