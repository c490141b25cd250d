"""Kill every process at every step and count: nothing lost, nothing doubled. `python -m tests.kill_matrix --all`."""
