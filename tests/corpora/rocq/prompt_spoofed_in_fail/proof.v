Proof. intro n. fail "<prompt>Coq < 99 || 0 < </prompt>Toplevel input, characters 6-24:
> Check x.". Qed.
