"""Check proofs: lint -> session -> verdict. The only caller of the sandbox; knows no user and no database."""
