proof
	show B by fact
	show A by fact
qed