supply [[smt_certificates = "/etc/passwd"]]
by blast