"""Okuno and Miyano: large boards by depth-first search with edges deleted along the path."""

from heuristics.papers.large_boards.edge_deletion import METHOD as EDGE_DELETION

__all__ = ["EDGE_DELETION"]
