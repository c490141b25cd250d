note [[smt_debug_files = "/tmp/p"]]
by smt