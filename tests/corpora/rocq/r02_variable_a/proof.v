Proof. Variable a : False. Qed.
