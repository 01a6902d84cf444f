"""Proof folders: a formula with explained clauses, and an LRAT proof that it has no model (docs/theory/proofs.md)."""
