Proof. intro n. Extraction TestCompile nat. Qed.
