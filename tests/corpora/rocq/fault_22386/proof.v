assert (a : empty -> False) by (induction 1; assumption). apply a. exact (let actual := empty in let decoy := stream in cofix recur : actual := wrap recur). Qed.
