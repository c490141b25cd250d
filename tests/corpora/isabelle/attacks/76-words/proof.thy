Here is the proof:
by blast