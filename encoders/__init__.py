"""Models and engines: a `Problem` becomes a CP-SAT model, a formula or a linear program, and a verified `Result`.

This is the only room that imports a solver.
"""

from encoders.solve import solve

__all__ = ["solve"]
