supply [[simp_trace, simp_debug, unify_trace_simp, simp_trace_depth_limit = 1000]]
by (induct xs) auto