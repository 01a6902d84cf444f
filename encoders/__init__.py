"""Problem -> CP-SAT model, CNF, linear program -> solved -> verified `Result`.  The only room that imports a solver."""

from encoders.bounds import certified, certify_lower_bound
from encoders.improve import improve
from encoders.live import live
from encoders.run import Progress
from encoders.solve import solve

__all__ = ["Progress", "certified", "certify_lower_bound", "improve", "live", "solve"]
