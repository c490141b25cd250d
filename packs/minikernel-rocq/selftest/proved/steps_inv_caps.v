Proof.
  intros s os s' Hsteps.
  induction Hsteps as [| s o s1 os s2 H1 Hrest IH]; intro Hinv.
  - exact Hinv.
  - apply IH.
    apply (step_inv_caps s o); assumption.
Qed.
