Proof using. intros l k n H. unfold get. now apply app_nth1. Qed.
