"""Proof folders: a formula with clauses explained, and a DRAT proof that it has no model (docs/theory/proofs.md)."""
