Proof (fun n => eq_refl).
