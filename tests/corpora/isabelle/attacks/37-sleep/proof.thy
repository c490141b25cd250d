apply (sleep 100000)
by blast