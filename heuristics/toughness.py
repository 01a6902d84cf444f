"""Vertex sets whose removal leaves more pieces than vertices were removed: no cycle passes all vertices (Chvátal 1973).

A graph here is a number of vertices and its edges, shape (m, 2).  `trimmed` makes such a set better, `by_degree` takes
the vertices with the most edges; `encoders.lp.toughness` has a search that goes further.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from kt_models.certificates.integers import Ints
from kt_models.walks import components

MAX_SHARE = 0.5
"""Of the vertices, the most that are removed: what is left has to fall into more pieces than that."""
MAX_DEGREES = 30
"""Most degrees that are tried as the least degree of what is removed, from the highest down."""


def trimmed(size: int, ends: Ints, removed: Ints) -> tuple[Ints, int]:
    """A set without vertices that do not part anything, and how many pieces it leaves more than it has vertices.

    A vertex that is joined to one piece at most comes back: that leaves as many pieces as before, and one vertex less
    is removed.
    """
    left = np.ones(size, dtype=np.bool_)
    left[removed] = False
    while True:
        label, count = _pieces(size, ends, left)
        useless = _touching_at_most_one(size, ends, left, label)
        if not len(useless):
            return np.flatnonzero(~left), count - int((~left).sum())
        left[useless] = True


def _pieces(size: int, ends: Ints, left: npt.NDArray[np.bool_]) -> tuple[Ints, int]:
    """Of each vertex that is left its piece, and the number of pieces."""
    label = components(size, ends[left[ends].all(axis=1)])
    return label, int((label[left] == np.flatnonzero(left)).sum())


def _touching_at_most_one(size: int, ends: Ints, left: npt.NDArray[np.bool_], label: Ints) -> Ints:
    """Removed vertices that are joined to one piece at most, no two of them to each other."""
    both = np.concatenate([ends, ends[:, ::-1]])
    out = both[~left[both[:, 0]] & left[both[:, 1]]]
    most, least = np.full(size, -1), np.full(size, size)
    np.maximum.at(most, out[:, 0], label[out[:, 1]])
    np.minimum.at(least, out[:, 0], label[out[:, 1]])
    able = ~left & (most <= least)  # none: -1 and size
    joined = both[able[both].all(axis=1)]
    able[joined.max(axis=1)] = False  # of two that are joined one has to wait
    return np.flatnonzero(able)


def by_degree(size: int, ends: Ints) -> Iterator[Ints]:
    """The sets of all vertices with at least so many edges, trimmed, if they leave too many pieces."""
    degrees = np.bincount(ends.reshape(-1), minlength=size)
    for least in np.unique(degrees)[:0:-1][:MAX_DEGREES].tolist():
        removed = np.flatnonzero(degrees >= least)
        if len(removed) > MAX_SHARE * size:
            return
        left = np.ones(size, dtype=np.bool_)
        left[removed] = False
        if _pieces(size, ends, left)[1] == 1:
            continue
        removed, excess = trimmed(size, ends, removed)
        if excess > 0 and len(removed):
            yield removed
