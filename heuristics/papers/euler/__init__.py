"""A note on Euler's method: a tour whose end is turned around until it closes."""

from heuristics.papers.euler.search import METHOD as EULER

__all__ = ["EULER"]
