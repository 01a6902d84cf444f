"""Proof folders: a formula whose clauses a checker can explain, and a log that shows that it has no model."""

from encoders.proof.prove import Refuted, prove, require_proof_directory, write_folder

__all__ = ["Refuted", "prove", "require_proof_directory", "write_folder"]
