exact (e (ic (cofix cycle : C I := (cofix f : C I := cc I f g with g : D (C I) I := dc (C I) I cycle (ic cycle) for f)))). Qed.
