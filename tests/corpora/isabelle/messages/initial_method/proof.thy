by (rule conjI)
