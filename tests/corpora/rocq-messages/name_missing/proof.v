Proof.
intros P Q H. now apply (conj_swapp P).
Qed.
