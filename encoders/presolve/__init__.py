"""Problems made smaller before anything searches: what is forced is followed, and graphs are taken apart at small cuts.

A sparse graph may have long chains, edges that every cycle uses, and parts that hang together by two or three edges
only.  All this is reduced exactly, what is then small or narrow is decided at once, and a cycle of what is left is one
of the whole (`part`, `cuts`, `split`, `decide`, `sweep`; `reduce` is the front door, `refute` says no to others).
"""

from encoders.presolve.reduce import Remainder, is_reduced_first, reduce, serves
from encoders.presolve.refute import refutation

__all__ = ["Remainder", "is_reduced_first", "reduce", "refutation", "serves"]
