Proof. intro n. #[local] Qed.
