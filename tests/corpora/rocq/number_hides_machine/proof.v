Proof.
  do 1_vm_compute. change True. exact I.
Qed.
