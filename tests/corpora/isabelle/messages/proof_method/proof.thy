apply (rule conjI)
