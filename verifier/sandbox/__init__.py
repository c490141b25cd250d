"""Where a process may run: behind walls or not at all. The only package that starts processes."""
