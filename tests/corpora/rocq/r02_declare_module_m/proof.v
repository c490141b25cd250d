Proof. Declare Module M : T. Qed.
