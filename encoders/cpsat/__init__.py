"""Problems as CP-SAT models, and the engines that search them."""

from kt_models.problem import Problem
from kt_models.weights import Weights

ENCODINGS = ("circuit", "cut-set", "race")
"""`circuit`: every answer is a tour; `cut-set`: degrees, and the cut-sets that answers violate; `race`: both in
parallel."""
MAX_MODEL_EDGES = 400_000
"""Most edges of a graph for a model: about 3 GB and a minute to build."""
BYTES_PER_EDGE = 7_500
"""Memory of a model for each edge, while it is searched."""
MAX_MODEL_VALUE = 2**40
"""Greatest sum of all weights: CP-SAT reports its bounds as floating point numbers, which were seen to be off by one at
2^44."""


def excess(problem: Problem) -> str:
    """The reason why a problem is too large for a model; empty if it fits."""
    if problem.graph.m > MAX_MODEL_EDGES:
        return f"{problem.graph.m:,} edges, over the limit of {MAX_MODEL_EDGES:,} for CP-SAT"
    sums = [problem.objective, *(constraint.quantity for constraint in problem.constraints)]
    if any(isinstance(weights, Weights) and weights.magnitude > MAX_MODEL_VALUE for weights in sums):
        return f"weights that sum to more than {MAX_MODEL_VALUE:,}, the limit for CP-SAT"
    return ""
