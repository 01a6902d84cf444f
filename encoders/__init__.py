"""Problem -> CP-SAT model, CNF, linear program -> solved -> verified `Result`.  The only room that imports a solver."""

from encoders.solve import solve

__all__ = ["solve"]
