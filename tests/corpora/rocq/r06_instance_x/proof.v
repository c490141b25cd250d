Instance x : True := I.
Proof. auto. Qed.
