Proof.
  assert (H : 2 ^ 40 = 0) by (vm_compute; reflexivity).
  discriminate.
Qed.
