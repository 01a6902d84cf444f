"""Davies, Xue and Yerger (2017): Aztec diamonds, path-conversion, and its success on random graphs."""

from heuristics.papers.aztec.path_conversion import METHOD as PATH_CONVERSION
from heuristics.papers.aztec.random_walk import METHOD as RANDOM_WALK

__all__ = ["PATH_CONVERSION", "RANDOM_WALK"]
