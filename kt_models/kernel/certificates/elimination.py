"""Elimination: the ways through a part of a graph, found by taking its vertices one by one along a tree.

A *way* covers every vertex of the part by disjoint paths whose ends are outside. The outside consists of *ports*,
vertices that are never taken. A table records, for a set of taken vertices and each untaken vertex that an edge has
reached (a *column*), whether it has no edge yet, has its full degree, or is an end of a path, and of which path. The
rest of the graph depends on nothing else.

To take a vertex, the program joins the tables that have it as a column, chooses or leaves out its edges to vertices not
taken, and drops states in which it does not have two edges. Tables without a common column stay separate. So a graph
with small cuts is processed along a tree, where a sweep would keep one frontier for all of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.errors import TooLarge
from kt_models.limits import NO_LIMITS, Limits

WayRows = npt.NDArray[np.uint8]
FULL = 255
"""Entry of a vertex with its full degree. Other entries are columns: that of the other end, or its own without an
edge."""
MAX_PACKED_COLUMNS = 15
"""Most columns of a state that fits into one 64-bit key, at four bits for each entry."""
MAX_FEW_ROWS = 100
"""Most states of a table that are compared as Python's bytes."""
MAX_COLUMNS = 250
"""Most columns of a table: entries are bytes, and `FULL` is one of their values."""
MAX_PAIRS = 10**12
"""Most pairs of states of two tables that are joined: some hours of work."""
DEFAULT_MEMORY = 1 << 30
"""Bytes that tables may take, unless the limits say otherwise."""
STEP_COPIES = 8
"""Copies of a table that a step makes, roughly."""


@dataclass(frozen=True)
class WayTable:
    """All states of partial ways, as seen from outside.

    Parameters
    ----------
    columns
        The vertices reached and not taken.
    states
        A row for each state, with an entry for each column.
    """

    columns: tuple[int, ...]
    states: WayRows

    def extended(self, vertices: Iterable[int]) -> WayTable:
        """The same table with columns for further vertices, which have no edges."""
        fresh = [v for v in dict.fromkeys(vertices) if v not in self.columns]
        if len(self.columns) + len(fresh) > MAX_COLUMNS:
            raise TooLarge(f"a part of the graph has more than {MAX_COLUMNS} neighbours")
        if not fresh:
            return self
        old = len(self.columns)
        states = np.empty((len(self.states), old + len(fresh)), dtype=np.uint8)
        states[:, :old] = self.states
        # A vertex without edges is the end of a path of its own
        states[:, old:] = range(old, old + len(fresh))
        return WayTable((*self.columns, *fresh), states)


@dataclass(frozen=True)
class Eliminated:
    """Outcome of taking the vertices of a part.

    Parameters
    ----------
    tables
        One table for each connected set of vertices; together their states are the ways.
    taken
        Number of vertices that were taken.
    """

    tables: tuple[WayTable, ...]
    taken: int

    @property
    def impassable(self) -> bool:
        """Whether there is no way."""
        return any(not len(table.states) for table in self.tables)


def eliminate(
    order: Iterable[int],
    edges: Mapping[int, Collection[tuple[int, tuple[int, ...]]]],
    forced: Collection[int],
    joined: bool = False,
    limits: Limits = NO_LIMITS,
    most_pairs: int = MAX_PAIRS,
) -> Eliminated:
    """Take vertices in an order, and stop as soon as some of them have no way through.

    Parameters
    ----------
    edges
        For each vertex its edges, each with its number and the vertices that it may lead to. An edge with
        several such vertices leads to exactly one of them. An edge between two vertices of the order is listed at
        both.
    forced
        Edges that must be used.
    joined
        Whether the tables are joined into one in the end: tables with common ports must agree there.
    most_pairs
        Limit on the pairs of states when two tables are joined.

    Raises
    ------
    TooLarge
        If the tables would exceed the memory, or have too many pairs of states.
    Stopped
        If a limit is reached.
    """
    memory = limits.room(DEFAULT_MEMORY)
    tables: dict[int, WayTable] = {}
    at: dict[int, set[int]] = {}  # Names of the tables that have a vertex as a column
    used: set[int] = set()
    names = count()
    taken = 0
    for taken, v in enumerate(order, 1):
        limits.check()
        table = WayTable((v,), np.zeros((1, 1), dtype=np.uint8))
        # Small tables first keep the products small
        for name in sorted(at.pop(v, ()), key=lambda name: len(tables[name].states)):
            joining = tables.pop(name)
            for column in joining.columns:
                at.get(column, set()).discard(name)
            table = _merged(table, joining, memory, limits, most_pairs)
        for edge, targets in edges[v]:
            if edge not in used:
                used.add(edge)
                table = _with_edge(table, v, targets, edge in forced, memory)
        table = _taken(table, v)
        name = next(names)
        tables[name] = table
        for column in table.columns:
            at.setdefault(column, set()).add(name)
        if not len(table.states):
            return Eliminated(tuple(tables.values()), taken)
    rest = sorted(tables.values(), key=lambda table: len(table.states))
    while joined and len(rest) > 1:
        rest[:2] = [_merged(rest[0], rest[1], memory, limits, most_pairs)]
    return Eliminated(tuple(rest), taken)


def _with_edge(table: WayTable, v: int, targets: tuple[int, ...], forced: bool, memory: int) -> WayTable:
    """States without an edge, unless it is forced, and with it."""
    table = table.extended(targets)
    v_column = table.columns.index(v)
    results = [] if forced else [table.states]
    for target in targets:
        results.append(_linked(table.states, v_column, table.columns.index(target)))
    return WayTable(table.columns, _distinct(np.concatenate(results), memory))


def _linked(states: WayRows, x: int, y: int) -> WayRows:
    """States after a path joins two columns, where that does not close a cycle."""
    # Room at both ends, and no cycle
    able = (states[:, x] != FULL) & (states[:, y] != FULL) & (states[:, x] != y)
    states = states[able]
    rows = np.arange(len(states))
    first, last = states[:, x].copy(), states[:, y].copy()  # Ends of the joined path; copies, as both columns change
    # A path end inside the new path has both its edges now
    states[first != x, x] = FULL
    states[last != y, y] = FULL
    states[rows, first] = last
    states[rows, last] = first
    return states


def _merged(table: WayTable, second: WayTable, memory: int, limits: Limits, most_pairs: int) -> WayTable:
    """All compatible pairs of states of two tables with disjoint vertex sets, as one table."""
    # The loop runs over the smaller table in Python, numpy over the larger
    if len(second.states) > len(table.states):
        table, second = second, table
    if len(second.states) * len(table.states) > most_pairs:
        raise TooLarge(f"the ways through two parts of the graph have more than {most_pairs:,} pairs of states")
    table = table.extended(second.columns)
    place = [table.columns.index(column) for column in second.columns]
    results, size = [table.states[:0]], 0
    for number, row in enumerate(second.states.tolist()):
        if not number % 64:
            limits.check()
        states = table.states
        for i, entry in enumerate(row):
            # A vertex may be full in one of the two tables only
            if entry == FULL:
                states = states[states[:, place[i]] == place[i]]
                states[:, place[i]] = FULL
            # Each path of the state once, from its lower end
            elif entry > i:
                states = _linked(states, place[i], place[entry])
        results.append(states)
        size += states.nbytes
        # Merge duplicates now and then, so that memory holds distinct states only
        if size > memory // STEP_COPIES:
            results = [_distinct(np.concatenate(results), memory)]
            size = results[0].nbytes
            if size > memory // (2 * STEP_COPIES):
                _refuse(memory)
    return WayTable(table.columns, _distinct(np.concatenate(results), memory))


def _taken(table: WayTable, v: int) -> WayTable:
    """States in which a vertex has two edges, without its column."""
    column = table.columns.index(v)
    states = table.states[table.states[:, column] == FULL]
    states = np.concatenate([states[:, :column], states[:, column + 1 :]], axis=1)
    # Entries behind the removed column refer to a position one lower
    states[(states > column) & (states != FULL)] -= 1
    return WayTable(table.columns[:column] + table.columns[column + 1 :], _distinct(states, 1 << 62))


def _distinct(states: WayRows, memory: int) -> WayRows:
    """Distinct rows."""
    if states.nbytes * STEP_COPIES > memory:
        _refuse(memory)
    rows, columns = states.shape
    if not columns or rows < 2:
        return states[:1]
    # The calls of numpy take longer than the work on few rows
    if rows <= MAX_FEW_ROWS:
        data = states.tobytes()
        distinct = sorted({data[at : at + columns] for at in range(0, len(data), columns)})
        return np.frombuffer(bytearray().join(distinct), dtype=np.uint8).reshape(-1, columns)
    # Four bits each: an entry, or the lowest bits of `FULL`. Sorting keys is much faster than sorting rows
    if columns <= MAX_PACKED_COLUMNS:
        keys: npt.NDArray[Any] = np.zeros(rows, dtype=np.uint64)
        for column in range(columns):
            keys = keys << np.uint64(4) | (states[:, column] & np.uint8(15)).astype(np.uint64)
    else:
        states = np.ascontiguousarray(states)
        keys = states.view(np.dtype((np.void, columns))).ravel()
    return states[np.unique(keys, return_index=True)[1]]


def _refuse(memory: int) -> None:
    raise TooLarge(
        f"the ways through a part of the graph would take more than the limit of {memory / (1 << 30):.2g} GiB"
    )
