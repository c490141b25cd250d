"""From a project's sources to the facts that a benchmark can be made of."""
