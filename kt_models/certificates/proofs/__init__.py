"""Proof folders: a formula with clauses explained, and an LRAT proof that it has no model (docs/theory/proofs.md)."""
