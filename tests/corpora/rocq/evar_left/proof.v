Proof. intro n. eapply eq_trans. Qed.
