"""Answers for a block of small graphs: whether each has a Hamiltonian cycle or path, and which."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from heuristics.small_graphs.search import UNKNOWN, WRONG, find
from heuristics.small_graphs.tails import tails
from heuristics.small_graphs.verify import first_wrong
from kt_models.errors import KTError
from kt_models.files.graph_lists.block import DIRECTED, KIND, MAX_SMALL, ROW, SIZE, GraphBlock
from kt_models.jit import kernel

BUDGET = 200_000
"""Most steps of a search: some hundredths of a second, in which an ordinary solve would not even have begun."""


@kernel("int64(int64[:, ::1], uint64[::1], boolean, int64, uint8[::1], uint8[:, ::1], int64[::1])")
def _decide(records: Any, rows: Any, closed: bool, budget: int, statuses: Any, orders: Any, stop: Any) -> int:
    """Fill the status and the order of each graph until `stop[0]` is set; return how many graphs were decided."""
    into = np.empty(MAX_SMALL, dtype=np.uint64)
    choices = np.empty(MAX_SMALL, dtype=np.uint64)
    for g in range(len(records)):
        if stop[0]:
            return g
        n = records[g, SIZE]
        if n < 1:
            statuses[g] = UNKNOWN
            continue
        out = rows[records[g, ROW] : records[g, ROW] + n]
        directed = records[g, KIND] == DIRECTED
        if directed:
            tails(n, out, into)
        statuses[g] = find(n, out, into if directed else out, directed, closed, orders[g], choices, budget)
    return len(records)


@dataclass(frozen=True)
class Decided:
    """Answers for the graphs of a block.

    Parameters
    ----------
    statuses
        For each graph `FEASIBLE`, `INFEASIBLE` or `UNKNOWN`.
    orders
        The vertices of a cycle or path of each graph that has one, shape (count, 64).
    done
        How many graphs were looked at.
    seconds
        Time for the block.
    """

    statuses: npt.NDArray[np.uint8]
    orders: npt.NDArray[np.uint8]
    done: int
    seconds: float


def refused(number: int) -> KTError:
    """The error of an order that the verifier refuses."""
    return KTError(f"internal error, please report it: the cycle or path that was found in graph {number} is none")


def decide(
    block: GraphBlock, *, closed: bool = True, budget: int = BUDGET, stop: npt.NDArray[np.int64] | None = None
) -> Decided:
    """Decide whether each graph has a Hamiltonian cycle or, if not `closed`, a path; every cycle is verified.

    Parameters
    ----------
    budget
        Most steps of the search for each graph. Graphs that need more, and graphs without bit sets, are `UNKNOWN`.
    stop
        An array of one integer; the search ends when it is set, and the other graphs are `UNKNOWN`.
    """
    count = len(block)
    statuses = np.full(count, UNKNOWN, dtype=np.uint8)
    orders = np.empty((count, MAX_SMALL), dtype=np.uint8)
    flag = np.zeros(1, dtype=np.int64) if stop is None else stop
    assert _decide.machine_code, first_wrong.machine_code  # Loaded before the clock starts
    began = time.perf_counter()
    done = _decide(block.records, block.rows, closed, budget, statuses, orders, flag)
    wrong = first_wrong(block.records, block.rows, statuses, orders, closed)
    if (statuses == WRONG).any():
        wrong = int(np.argmax(statuses == WRONG))
    if wrong >= 0:
        raise refused(block.first + wrong)
    return Decided(statuses, orders, done, time.perf_counter() - began)
