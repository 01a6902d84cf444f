"""Comparison of heuristics with bounds and proved optima: `compare`, with its tables and plots."""

from encoders.compare.run import Comparison, Effort, Score, compare

__all__ = ["Comparison", "Effort", "Score", "compare"]
