"""Exact sweeps over a graph (frontier, transfer-matrix or plug dynamic programming): counting and least values.

`count_solutions` counts the solutions of a problem, in all or by the value of the objective; `least_value` finds the
least value of the objective; `has_solution` decides whether a solution exists. They process the vertices once and keep
only what matters later of each partial solution (`plan`). So they are exact and need no solver, and their cost depends
on the width of the board much more than on its length.
"""

from kt_models.kernel.certificates.frontier.objective import Potentials
from kt_models.kernel.certificates.frontier.solve import (
    Counts,
    Joining,
    Least,
    count_linkages,
    count_solutions,
    fits,
    has_solution,
    least_value,
)
from kt_models.kernel.sweeps.net import Winding

__all__ = [
    "Counts",
    "Least",
    "Joining",
    "Potentials",
    "Winding",
    "count_linkages",
    "count_solutions",
    "fits",
    "has_solution",
    "least_value",
]
