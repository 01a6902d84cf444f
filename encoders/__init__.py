"""Problem -> CP-SAT model or CNF -> solved -> verified `Result`.  The only room that imports a solver."""

from encoders.run import Progress
from encoders.solve import solve

__all__ = ["Progress", "solve"]
