"""Warnsdorff's rule (1823): go to the neighbour from which the fewest ways lead on.

Ties (`forks`: not only ties) are broken by one of

- `ordered`: the vertex that comes first in reading order, top row first, left to right (Davies, Xue and Yerger 2017,
  step 1 of the path-conversion algorithm and Figure 5);
- `random`;
- `lookahead`: the rule once more, one level on: the vertex whose unvisited neighbours have the fewest ways on in sum
  (Pohl 1967), then reading order;
- `centre`: the vertex farthest from the centre of the board (A. Roth), then reading order;
- `squirrel-cull`: on square boards from a corner, an order of the eight moves that changes at given squares (Squirrel
  and Cull 1996), a table made for large boards;
- `forks`: a vertex that leaves two of its unvisited neighbours with at most one way on is avoided, whatever its own
  number of ways, unless it has to be next; then the rule, then reading order. Of two such neighbours only one can
  come next, and the other is a dead end for good; the rule alone runs into these.

A walk is abandoned as soon as three unvisited vertices have at most one unvisited neighbour each (or two vertices, and
it does not go to one of them): each must be the first or the last of the rest. Plain Warnsdorff would go on and get
stuck, so no tour is lost.

The walks run on the plain graph of a problem. For an open tour they start with the auxiliary vertices, which then have
no influence on the rule, except that the last vertex adjacent to them is kept for the end, so that given ends are met.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt

from heuristics.compiled_helpers import below, random_state
from heuristics.method import Method
from heuristics.simple_graph import SimpleGraph, simple_graph_or_result
from kt_models.board import IntArray
from kt_models.errors import KTError
from kt_models.graph import MoveGraph
from kt_models.jit import kernel
from kt_models.leaper import KNIGHT
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.recording import Recording
from kt_models.result import Result

TieBreak = Literal["ordered", "random", "lookahead", "centre", "squirrel-cull", "forks"]
RULES = {"ordered": 0, "random": 1, "lookahead": 2, "centre": 3, "squirrel-cull": 4, "none": 5, "forks": 6}
"""Numbers of the rules in the compiled loop; `none` is no rule, but a step to any unvisited neighbour."""
FORK_PENALTY = np.int32(1 << 28)
"""Added to the number of ways on of a vertex that makes a fork; it exceeds every number of ways."""
VISITED = 1 << 29
"""Added to a vertex's count of free neighbours when it is visited; a quarter of it exceeds every degree."""
UNVISITED = np.int32(VISITED - (1 << 27))
"""The count of an unvisited vertex is below this, even after some of its neighbours were subtracted."""

_SQUIRREL_MOVES = [(-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1)]
"""The moves numbered 1 to 8 there, as (rows down, columns to the right)."""


def warnsdorff(
    problem: Problem,
    *,
    limits: Limits = NO_LIMITS,
    watch: Recording | None = None,
    tie_break: TieBreak = "ordered",
    origin: str = "",
    passes: int = 1,
) -> Result:
    """Walk by Warnsdorff's rule from each start in turn, in reading order, until a walk is a tour.

    For a closed tour, only a walk that happens to close will do.

    Parameters
    ----------
    origin
        The only vertex to start from, by name.
    passes
        Number of passes over the starts with random ties (the other rules would repeat themselves).
    """
    instance = simple_graph_or_result(problem)
    if isinstance(instance, Result):
        return instance
    walker = Walker(instance, tie_break, np.random.default_rng(limits.seed), start=origin)
    walks = full = 0
    for number in walker.turns(passes):
        if limits.over:
            break
        walks += 1
        is_full = walker.walk(number)
        closes = is_full and walker.closes()
        if watch is not None:
            record_walk(watch, walker, each_move=closes)
        if is_full:
            full += 1
            if closes:
                return Result(
                    problem, "feasible", instance.lift(walker.path), statistics={"walks": walks, "open_tours": full}
                )
    return Result(problem, "unknown", statistics={"walks": walks, "open_tours": full})


def record_walk(steps: Recording, walker: Walker, *, each_move: bool) -> None:
    """Add the steps of the last walk: a step for each of its moves, or one for all of them."""
    n, length = steps.graph.n, walker.length
    walk = walker.path[:length].tolist()
    cells = [v for v in walk if v < n]
    name = steps.graph.name_of
    if not each_move:
        missing = len(walker.path) - length
        end = (
            f"it is given up there, as {missing} cells can no longer all be reached"
            if missing
            else "it visits every cell"
        )
        steps.record(f"A walk from {name(cells[0])} to {name(cells[-1])}: {end}.", path=walk, cells=(walk[-1],))
        return
    around = [[v for v in walker.heads[walker.indptr[u] : walker.indptr[u + 1]].tolist() if v < n] for u in range(n)]
    visited = [False] * n
    steps.record(f"The walk starts at {name(cells[0])}.", cells=cells[:1])
    for place, (u, v) in enumerate(pairwise(cells), start=1):
        visited[u] = True
        ways = {w: sum(not visited[x] for x in around[w]) for w in around[u] if not visited[w]}
        others = [name(w) for w in ways if w != v and ways[w] == ways[v]]
        ties = f", like {' and '.join(others)}: the tie-break decides" if others else ""
        least = "the fewest" if ways[v] == min(ways.values()) else "not the fewest, as the tie-break wants"
        text = f"{name(u)} to {name(v)}: ways on {ways[v]}, {least}{ties}."
        marks = {w: str(number) for w, number in ways.items()}
        steps.record(text, path=cells[: place + 1], cells=(u, v), marks=marks)


class Walker:
    """Walks by Warnsdorff's rule on the graph of an instance.

    Parameters
    ----------
    rule
        A key of `RULES`.
    start
        The only vertex to start from, by name; "" for every vertex in turn.

    Attributes
    ----------
    path
        Vertices of the last walk, shape (n,); only the first `length` count.
    openings
        The beginning of each walk: auxiliary vertices, if there are any, and the start.
    indptr, heads
        The graph, with every list of neighbours in reading order.

    Raises
    ------
    KTError
        If the rule does not apply to this board, or the start is not a vertex.
    """

    def __init__(self, instance: SimpleGraph, rule: str, rng: np.random.Generator, *, start: str = "") -> None:
        graph, n = instance.graph, instance.graph.n
        self.instance, self.rule, self._rng = instance, RULES[rule], rng
        order = reading_order(instance)
        self.indptr = graph.indptr
        owner = np.repeat(np.arange(n), graph.degrees)
        rank = np.empty(n, dtype=np.int64)
        rank[order] = np.arange(n)
        slots = np.lexsort((rank[graph.neighbours], owner))
        self.heads = graph.neighbours[slots]
        score, kind = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int8)
        ranks, switches = np.zeros((1, 9), dtype=np.int64), np.zeros(0, dtype=np.int64)
        if rule == "centre":
            score = _nearness(instance)
        if rule == "squirrel-cull":
            start = start or _corner(instance.problem)
            mirrored = _turned_to(instance.problem, start)
            ranks, switches = _squirrel_cull(instance.problem, mirrored)
            kind = _move_kinds(instance, owner, self.heads, mirrored)
        self.openings = _openings(instance, order)
        if start:
            vertex = instance.problem.graph.find(start)
            ending_here = [opening for opening in self.openings if opening[-1] == vertex]
            self.openings = ending_here or [opening for opening in _from_ends(instance) if opening[-1] == vertex]
            if not self.openings:
                raise KTError(f"origin {start}: the required tour cannot start there")
        self.path = np.empty(n, dtype=np.int32)
        self.length = 0
        self._free = np.empty(n, dtype=np.int32)
        self._graph = self.indptr, self.heads, graph.degrees.astype(np.int32)
        self._rule = self.rule, score, kind, ranks, switches, random_state(rng)

    def turns(self, passes: int) -> list[int]:
        """Numbers of the openings in the order in which they are tried.

        Raises
        ------
        KTError
            If `passes` is not positive.
        """
        if passes < 1:
            raise KTError(f"parameter passes: {passes} is not positive")
        return list(range(len(self.openings))) * (passes if self.rule in (1, 5) else 1)

    def walk(self, opening: int, *, hopeless: bool = True) -> bool:
        """Walk from an opening; return whether every vertex was reached.

        Parameters
        ----------
        hopeless
            Whether to give up as soon as it is certain that not every vertex will be reached.
        """
        self.length = walk_by_rule(self._graph, self._rule, self.openings[opening], self._free, self.path, hopeless)
        return bool(self.length == len(self.path))

    def closes(self) -> bool:
        """Whether the last vertex of the walk is joined to its first."""
        last, first = int(self.path[self.length - 1]), self.path[0]
        return bool((self.heads[self.indptr[last] : self.indptr[last + 1]] == first).any())


def reading_order(instance: SimpleGraph) -> npt.NDArray[np.int64]:
    """Vertices in reading order, top row first, left to right; without rows in order of number.

    Vertices that the reduction added come last.
    """
    board, n = instance.problem.graph.board, instance.problem.graph.n
    order = (
        np.arange(n) if board is None or board.dimension != 2 else np.lexsort((board.cells[:, 0], -board.cells[:, 1]))
    )
    return np.concatenate([order, np.arange(n, instance.graph.n)])


def _openings(instance: SimpleGraph, order: npt.NDArray[np.int64]) -> list[IntArray]:
    """The possible openings: for a closed tour any vertex, for an open one auxiliary vertices and an end."""
    graph, n = instance.graph, instance.problem.graph.n
    if instance.problem.closed:
        return list(order[order < n].astype(np.int32)[:, None])
    chain = [n]
    # Two auxiliary vertices are joined by a forced edge, which has two further vertices in between.
    if instance.colour is not None and n % 2 == 0:
        for middle in _around(graph, n):
            far = [v for v in _around(graph, middle) if v != n]
            if middle > n + 1 and n + 1 in _around(graph, far[0]):
                chain = [n, middle, far[0], n + 1]
                break
    rank = np.empty(graph.n, dtype=np.int64)
    rank[order] = np.arange(graph.n)
    openings = []
    for prefix in (chain, chain[::-1])[: len(chain)]:
        ends = sorted(set(_around(graph, prefix[-1])) - set(chain), key=lambda v: int(rank[v]))
        openings += [np.array([*prefix, end], dtype=np.int32) for end in ends]
    return sorted(openings, key=lambda opening: int(rank[opening[-1]]))


def _from_ends(instance: SimpleGraph) -> list[IntArray]:
    """The beginnings of a walk from a given end: an auxiliary vertex, and all that lies before the end."""
    graph, n = instance.graph, instance.problem.graph.n
    openings = []
    for beside in _around(graph, n):
        chain = [n, beside]
        while chain[-1] >= n and graph.degrees[chain[-1]] == 2:
            chain += [v for v in _around(graph, chain[-1]) if v != chain[-2]]
        if beside > n > chain[-1]:
            openings.append(np.array(chain, dtype=np.int32))
    return openings


def _around(graph: MoveGraph, vertex: int) -> list[int]:
    around: list[int] = graph.neighbours[graph.indptr[vertex] : graph.indptr[vertex + 1]].tolist()
    return around


def _nearness(instance: SimpleGraph) -> npt.NDArray[np.int64]:
    """Minus four times the squared distance of each vertex from the centre of the board's box, an integer."""
    board = instance.problem.graph.board
    if board is None:
        raise KTError(f"tie_break=centre: {instance.problem.graph.name} has no board, and so no centre")
    away = 2 * board.cells.astype(np.int64) - (np.array(board.shape) - 1)
    score = np.zeros(instance.graph.n, dtype=np.int64)
    score[: board.n] = -(away**2).sum(axis=1)
    return score


def _squirrel_table(m: int) -> list[tuple[str, tuple[int, int]]]:
    """Orders of the moves, and the square (row, column, from 1) at which each gives way to the next (0, 0: never)."""
    half = m // 2 if m % 2 == 0 else (m - 1) // 2
    corner = [("34261578", (m - 1, m - 2)), ("87642135", (2, 2))]
    even = [("34261578", (6, 1)), ("87642135", (3, 1))]
    long = [("34625718", (m - 1, m - 2)), ("42681357", (m - 6, m)), ("86512347", (2, 5))]
    tables = [
        [*corner, ("51867342", (m - 8, 1)), ("51342678", (7, m - 3)), ("21435678", (0, 0))],
        [*corner, ("51324678", (m - 6, half + 5)), ("32481765", (0, 0))],
        [
            *even,
            ("54132678", (m - 15, 4)),
            ("52431678", (10, m - 2)),
            ("85647123", (5, half - 3)),
            ("15746823", (0, 0)),
        ],
        [*long, ("51867342", (m - 10, 3)), ("61825437", (half + 1, m - 2)), ("71642538", (0, 0))],
        [
            *corner,
            *[("51867342", (m - 8, 1)), ("51342678", (10, m - 5)), ("86753421", (13, half + 1)), ("78563421", (0, 0))],
        ],
        [*corner, ("51324678", (m - 2, half - (2 if m % 16 == 5 else 6))), ("15234678", (0, 0))],
        [
            *even,
            ("54132678", (m - 10, 1)),
            ("52431678", (10, m - 2)),
            ("85647123", (3, half + 4)),
            ("12453678", (0, 0)),
        ],
        [*long, ("51867342", (m - 6, 3)), ("61825437", (half + 1, m - 2)), ("61357284", (0, 0))],
    ]
    return tables[m % 8]


def _corner(problem: Problem) -> str:
    """The corner where squirrel-cull starts: the given start of an open tour, or the left corner of the top row."""
    graph, board = problem.graph, problem.graph.board
    square = board is not None and board.is_box and board.dimension == 2 and len(set(board.shape)) == 1
    if board is None or not square or graph.leaper != KNIGHT or board.shape[0] < 5:
        raise KTError(f"tie_break=squirrel-cull: it is for a knight on square boards from 5x5 on, not for {graph.name}")
    m = board.shape[0]
    corners = {board.name(int(v)) for v in board.numbers(np.array([[0, m - 1], [0, 0], [m - 1, 0], [m - 1, m - 1]]))}
    if not problem.terminals:
        return board.name(int(board.numbers(np.array([[0, m - 1]]))[0]))
    start = graph.name_of(problem.terminals[0])
    if start not in corners:
        raise KTError(f"tie_break=squirrel-cull: it starts from a corner of the board, and not from {start}")
    return start


def _turned_to(problem: Problem, start: str) -> tuple[bool, bool]:
    """Whether the rule is reflected in x and in y, to start from a cell of the right column or bottom row."""
    board, _ = problem.graph.geometry
    x, y = board.cells[problem.graph.find(start)].tolist()
    return x == board.shape[0] - 1, y == 0


def _squirrel_cull(
    problem: Problem, mirrored: tuple[bool, bool]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The rank of each move in each order, and the squares where the order changes."""
    board, _ = problem.graph.geometry
    m = board.shape[0]
    table = _squirrel_table(m)
    ranks = np.zeros((len(table), 9), dtype=np.int64)
    switches = np.full(len(table), -1, dtype=np.int64)
    for phase, (moves, (row, column)) in enumerate(table):
        for rank, move in enumerate(moves):
            ranks[phase, int(move)] = rank
        if 1 <= row <= m and 1 <= column <= m:
            x, y = (m - column if mirrored[0] else column - 1), (row - 1 if mirrored[1] else m - row)
            switches[phase] = board.numbers(np.array([[x, y]]))[0]
    return ranks, switches


def _move_kinds(
    instance: SimpleGraph, owner: npt.NDArray[np.int64], heads: IntArray, mirrored: tuple[bool, bool]
) -> npt.NDArray[np.int8]:
    """Which of the eight moves leads from each vertex to each neighbour, from 1; 0 to and from added vertices."""
    board, _ = instance.problem.graph.geometry
    cells = np.zeros((instance.graph.n, 2), dtype=np.int64)
    cells[: board.n] = board.cells
    step = (cells[heads] - cells[owner]) * np.where(mirrored, -1, 1)
    on_board = (owner < board.n) & (heads < board.n)
    kinds = np.zeros(len(heads), dtype=np.int8)
    for number, (down, right) in enumerate(_SQUIRREL_MOVES, start=1):
        kinds[on_board & (step[:, 0] == right) & (step[:, 1] == -down)] = number
    return kinds


GRAPH = "Tuple((int64[::1], int32[::1], int32[::1]))"
RULE = "Tuple((int64, int64[::1], int8[::1], int64[:, ::1], int64[::1], uint64[::1]))"
"""numba's types of the first two arguments of `walk_by_rule`."""


@kernel(f"int64({GRAPH}, {RULE}, int32[::1], int32[::1], int32[::1], boolean)")
def walk_by_rule(graph, breaks, opening, free, path, hopeless):  # type: ignore[no-untyped-def]
    """Fill `path`; return the number of vertices reached.

    `graph` is indptr, heads and degrees. `breaks` is how ties are broken: the rule, its tables, and the state of a
    random generator.

    `free` is the number of unvisited neighbours of an unvisited vertex; for a visited one it is larger by `VISITED`.
    `lonely` is the number of unvisited vertices with at most one unvisited neighbour.
    """
    indptr, heads, degrees = graph
    rule, score, kind, ranks, switches, state = breaks
    # Local names for the arrays: numba looks a tuple's items up once here rather than in the loop.
    n = len(path)
    free[:] = degrees
    home = opening[0]  # With auxiliary vertices, the walk has to end beside the first of them.
    guarded = len(opening) > 1
    length, lonely, phase = 0, 0, 0
    best = opening[0]
    while True:
        head = best
        path[length] = head
        length += 1
        # The head was lonely itself, and is unvisited no longer.
        if free[head] <= 1:
            lonely -= 1
        # One number per vertex tells both whether it is visited and how many free neighbours it has, so a single
        # comparison below finds the best unvisited one.
        free[head] += VISITED
        best, least, ties = -1, UNVISITED, 0
        for slot in range(indptr[head], indptr[head + 1]):
            v = heads[slot]
            ways = free[v] - np.int32(1)
            free[v] = ways
            if ways == 1:
                lonely += 1
            # The plain rule needs no second pass: neighbours are in reading order, and the first of the best is kept.
            if ways < least:
                best, least, ties = v, ways, 1
            elif ways == least:
                ties += 1
        if length == n:
            return length
        # The squirrel-cull table changes the order of moves at given squares.
        if phase < len(switches) and head == switches[phase]:
            phase += 1
        if length < len(opening):
            best = opening[length]
            continue
        # Ties, forks and given ends need a second pass over the neighbours.
        if (ties > 1 and rule > 0) or rule >= 5 or guarded:
            best, lowest, late = -1, np.int64(0), False
            for slot in range(indptr[head], indptr[head + 1]):
                v = heads[slot]
                ways = free[v]
                if ways >= UNVISITED:
                    continue
                waits = False
                # If the last free neighbour of the start were taken now, the walk could not end beside it; it has to
                # wait.
                if guarded and free[home] == VISITED + 1 and length < n - 1:
                    for beyond in range(indptr[v], indptr[v + 1]):
                        waits |= heads[beyond] == home
                if rule == 5:
                    ways = np.int32(0)
                if rule == 6 and ways > 1:  # A fork is worse than any number of ways.
                    forks = 0
                    for beyond in range(indptr[v], indptr[v + 1]):
                        forks += free[heads[beyond]] <= 2
                    if forks > 1:
                        ways += FORK_PENALTY
                # A vertex that may go now is preferred to one that has to wait, then fewer ways, then fewer points.
                if best >= 0 and (waits > late or (waits == late and ways > least)):
                    continue
                points = np.int64(0)
                if rule == 1 or rule == 5:
                    points = below(state, 1 << 30)
                elif rule == 2:
                    for beyond in range(indptr[v], indptr[v + 1]):
                        if free[heads[beyond]] < UNVISITED:
                            points += free[heads[beyond]]
                elif rule == 3:
                    points = score[v]
                elif rule == 4:
                    points = ranks[phase, kind[slot]]
                if best < 0 or waits < late or ways < least or points < lowest:
                    best, least, lowest, late = v, ways, points, waits
        if best < 0:
            return length
        # Only the first and the last of the remaining vertices may be lonely, so with more the walk is bound to get
        # stuck.
        if hopeless and lonely > 1 and (lonely > 2 or free[best] > 1):
            return length


METHOD = Method(warnsdorff, "Go to the vertex with the fewest unvisited neighbours (1823); six tie-breaks.")
