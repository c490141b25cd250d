Proof. intro n. pose (f := fix F (sz c:nat)(f:nat->nat) {struct sz} : nat := match sz with S sz0 => F sz0 (S c) (fun x => F x 0 f) | O => S (f c) end). Qed.
