"""Besa, Johnson, Mamano, Osegueda and Williams (2022): tours with few turns and crossings, and lower bounds."""

from heuristics.papers.taming.formation import METHOD as FORMATION

__all__ = ["FORMATION"]
