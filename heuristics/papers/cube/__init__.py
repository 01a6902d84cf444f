"""Miller (2018): random tours of the 4x4x4 cube, and their types."""

from heuristics.papers.cube.random_greedy import METHOD as RANDOM_GREEDY

__all__ = ["RANDOM_GREEDY"]
