Proof.
  intro n. assert (2 + 2 = 4) by (unfold Nat.add; reflexivity). induction n as [|n IH].
  - vm_compute. auto.
  - cbn. unfold lt in *. lia.
Qed.
