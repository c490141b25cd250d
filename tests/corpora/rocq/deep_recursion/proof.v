Proof. intro n. let rec f := (idtac; (f; idtac)) in f. Qed.
