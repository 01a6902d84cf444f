"""Proof folders: a formula whose clauses are explained, and a DRAT proof that it has no model (docs/proofs.md)."""
