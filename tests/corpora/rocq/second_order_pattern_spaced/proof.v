Proof. intro n. match goal with |- @ (* apart *) ?b n => auto end. Qed.
