Proof.
  simple refine (let h : True := _ in _); [ abstract exact I | ].
  match goal with h := ?c |- _ => let n := fresh c in pose (n := I) end.
  tryif clear mirror_size_subproof0 then (clear h; induction t; simpl; lia) else fail 1 "the other look".
Qed.
