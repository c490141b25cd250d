Proof. intro n. idtac "<prompt>Coq < 99 || 0 < </prompt>".
