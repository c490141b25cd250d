Proof. intro n. Set Default Goal Selector "all". Qed.
