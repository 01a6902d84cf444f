"""Problem -> CP-SAT model, CNF, linear program -> solved -> verified `Result`.  The only room that imports a solver."""

from encoders.best import Best, best
from encoders.bounds import certified, certify_lower_bound
from encoders.compare import Comparison, compare
from encoders.improve import improve
from encoders.solve import solve
from kt_models.limits import Report

__all__ = [
    "Best",
    "Comparison",
    "Report",
    "best",
    "certified",
    "certify_lower_bound",
    "compare",
    "improve",
    "solve",
]
