Proof.
assert (H : 100000 = 100000 * 1). vm_compute. reflexivity.
Qed.
