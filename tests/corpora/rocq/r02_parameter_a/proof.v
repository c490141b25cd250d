Proof. Parameter a : False. Qed.
