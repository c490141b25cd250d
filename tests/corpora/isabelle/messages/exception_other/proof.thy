by size_change
