Proof. intro n. let rec f x := (let y := constr:((x, x)) in let z := eval cbv in y in f z) in f (1, 1). Qed.
