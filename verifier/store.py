"""Built environments on this host: one folder each under the data folder, named by the digest of the recipe."""
