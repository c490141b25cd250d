Proof. Hypothesis a : False. Qed.
