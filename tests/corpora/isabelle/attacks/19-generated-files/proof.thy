compile_generated_files where \<open>fn _ => ()\<close>
by simp