"""Problem -> CP-SAT model, CNF, linear program -> solved -> verified `Result`.  The only room that imports a solver."""

from encoders.bounds import certified, certify_lower_bound
from encoders.improve import improve
from encoders.live import live
from encoders.solve import solve
from kt_models.limits import Report

__all__ = ["Report", "certified", "certify_lower_bound", "improve", "live", "solve"]
