"""Counts and properties of the graphs of a block."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from heuristics.small_graphs.count import count_tours
from heuristics.small_graphs.decide import BUDGET, refused
from heuristics.small_graphs.properties import PROPERTIES, decide_property
from heuristics.small_graphs.search import WRONG, WRONG_ORDER
from kt_models.files.graph_lists.block import GraphBlock
from kt_models.kernel.sweeps.bits import Words

Stop = npt.NDArray[np.int64]
"""An array of one integer; work ends when it is set."""


def counts_of(
    block: GraphBlock, *, closed: bool = True, budget: int = BUDGET, wanted: int = 0, stop: Stop | None = None
) -> tuple[npt.NDArray[np.int64], int]:
    """The number of Hamiltonian cycles or, if not `closed`, paths of each graph.

    Parameters
    ----------
    budget
        Most steps of the search for each graph; a graph that needs more has -1, unless it is small enough for a sum
        over all sets of its vertices.
    wanted
        A count ends with this number; 0 for all.
    stop
        The work ends when its only value is set.

    Returns
    -------
    tuple
        The numbers, and how many graphs were looked at.
    """
    counts = np.full(len(block), -1, dtype=np.int64)
    flag = np.zeros(1, dtype=np.int64) if stop is None else stop
    done = count_tours(block.records, block.rows, closed, budget, wanted, counts, flag)
    if (counts == WRONG_ORDER).any():
        raise refused(block.first + int(np.argmax(counts == WRONG_ORDER)))
    return counts, done


def property_of(
    block: GraphBlock, name: str, *, budget: int = BUDGET, stop: Stop | None = None
) -> tuple[npt.NDArray[np.uint8], Words, int]:
    """Whether each graph has a property of `PROPERTIES`.

    Returns
    -------
    tuple
        The statuses, 1 if it has, 0 if not, and 2 if that is unknown; the edges that the property names, as sets of
        neighbours in the order of the block's rows; and how many graphs were looked at.
    """
    statuses = np.full(len(block), 2, dtype=np.uint8)
    marks = np.zeros(max(1, len(block.rows)), dtype=np.uint64)
    flag = np.zeros(1, dtype=np.int64) if stop is None else stop
    which = list(PROPERTIES).index(name)
    done = decide_property(block.records, block.rows, which, budget, statuses, marks, flag)
    if (statuses == WRONG).any():
        raise refused(block.first + int(np.argmax(statuses == WRONG)))
    return statuses, marks, done
