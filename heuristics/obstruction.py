"""The search for a short proof that a problem has no solution, before any solver starts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from heuristics.graph_searches import (
    MAX_PLAIN_ARCS,
    cut_vertex,
    maximum_matching,
    neighbours,
    reached,
    smaller_colour_class,
    strong_components,
)
from kt_models.directed import SplitGraph
from kt_models.errors import CertificateError, TooLarge
from kt_models.existence import closed_tour_exists, open_tour_exists
from kt_models.graph import MoveGraph
from kt_models.kernel.certificates import Certificate, Checked, Statement
from kt_models.leaper import KNIGHT
from kt_models.limits import NO_LIMITS, Limits, Stopped
from kt_models.problem import Problem
from kt_models.walks import components

MAX_CUT_VERTICES = 300_000
"""Largest graph for cuts: a maximum matching of that size takes about a second."""
MIN_ISOLATED = 10_000
"""Least number of vertices of a graph whose vertices without an edge are looked for first."""
MAX_CUT_EDGES = 200_000
"""Most edges of a graph whose vertices of highest degree are removed on trial, which takes half a second."""
MAX_EDGES_PER_VERTEX = 64
"""Greatest mean degree of a graph for more than a look at components: a matching of two million edges takes seconds, in
vain."""
MAX_FORCED_VERTICES = 50_000
"""Largest graph on which forced moves are followed, with Python's sets."""


GRACE_SECONDS = 0.2
"""Seconds that a check has to end once the limits are reached."""


def find_obstruction(problem: Problem, limits: Limits = NO_LIMITS) -> Checked | None:
    """A checked certificate that a `cycle` or `path` problem has no solution, or None if no short one is found in time.

    These are tried: too few vertices; a cut (disconnected, a cut vertex, colour balance, or any tight set of cells, see
    `_cuts`); counting under a symmetry; forced moves; published theorems on rectangles.
    """
    if problem.connectivity not in ("cycle", "path") or _has_tour(problem):
        return None
    if problem.graph.board is not None and problem.graph.n > MAX_CUT_VERTICES:
        candidates: Iterable[tuple[str, dict[str, Any]]] = [("theorem", {})]  # A theorem needs no graph.
    elif problem.graph.n == 1 and not problem.closed:  # A single vertex is a tour.
        return None
    else:
        candidates = _candidates(problem)
    try:
        return limits.run(lambda: _first_valid(problem, candidates, limits), GRACE_SECONDS)
    except Stopped:
        return None


def _has_tour(problem: Problem) -> bool:
    """Whether a theorem says that there is a tour, because loading the proof search takes a quarter of a second."""
    board = problem.graph.board
    if board is None or not board.is_box or problem.graph.leaper != KNIGHT:
        return False
    if problem.required or problem.forbidden or problem.symmetry or problem.terminals:
        return False
    return bool(closed_tour_exists(board.shape) if problem.closed else open_tour_exists(board.shape))


def isolated_vertex(graph: MoveGraph) -> dict[str, int] | None:
    """The data of a certificate that a vertex has no edge, or that no arc leads to it; None if nothing shows that.

    It is for large graphs without a board that have too few edges for their vertices; of others a cut says the same.
    """
    if isinstance(graph, SplitGraph):
        if graph.directed.n < MIN_ISOLATED or graph.directed.m >= graph.directed.n - 1:
            return None
        first, second = _missing(graph.directed.arcs[:, 1])
        return {"vertex": first, "other": second} if graph.is_open else {"vertex": first}
    if graph.board is not None or graph.n < MIN_ISOLATED or 2 * graph.m >= graph.n:
        return None
    return {"vertex": _missing(graph.ends)[0]}


def too_few_edges(problem: Problem) -> Checked | None:
    """The checked certificate that a large graph has too few edges for a cycle or path; None if it may have enough.

    Whatever lists, counts or searches asks this before it makes something for each vertex: a file of a few bytes can
    declare a hundred million.
    """
    if problem.connectivity not in ("cycle", "path") or (data := isolated_vertex(problem.graph)) is None:
        return None
    return Certificate("isolated", Statement(problem, "infeasible"), data).checked()


def _missing(vertices: npt.NDArray[np.int32]) -> tuple[int, int]:
    """The two smallest numbers that are not among these."""
    taken = np.unique(vertices)
    missing = np.setdiff1d(np.arange(len(taken) + 2), taken)
    return int(missing[0]), int(missing[1])


def _candidates(problem: Problem) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "small", {}
    if (isolated := isolated_vertex(problem.graph)) is not None:
        yield "isolated", isolated
    for removed in _one_way(problem):
        yield "cut", {"removed": removed}
    if problem.required or problem.forbidden:  # The conditions are the likelier reason, and the clearer one.
        yield "forced", {}
    few_vertices, few_edges = problem.graph.n <= MAX_CUT_VERTICES, problem.graph.m <= MAX_CUT_EDGES
    if few_vertices or few_edges:
        size, ends = plain_graph(problem)
    if few_vertices:
        for removed in _cuts(size, ends):
            yield "cut", _cut_data(problem, size, removed)
    if problem.symmetry:
        yield "symmetry", {}
    sparse = problem.graph.m <= MAX_EDGES_PER_VERTEX * problem.graph.n
    if sparse and problem.graph.n <= MAX_FORCED_VERTICES and not (problem.required or problem.forbidden):
        yield "forced", {}
    yield "theorem", {}
    if few_edges:
        from heuristics.toughness import by_degree

        for places in by_degree(size, ends):
            yield "cut", _cut_data(problem, size, places.tolist())


def _first_valid(problem: Problem, candidates: Any, limits: Limits) -> Checked | None:
    for method, data in candidates:
        limits.check()
        try:
            return Certificate(method, Statement(problem, "infeasible"), data).checked(limits)
        except (CertificateError, TooLarge):
            continue
    return None


def cut_certificate(problem: Problem, size: int, removed: list[int], limits: Limits = NO_LIMITS) -> Checked | None:
    """The certificate that removing some vertices of the `plain_graph` leaves too many pieces; None if it does not."""
    return _first_valid(problem, [("cut", _cut_data(problem, size, removed))], limits)


def plain_graph(problem: Problem) -> tuple[int, npt.NDArray[np.int64]]:
    """Number of vertices and the edges, shape (m, 2), of a graph whose Hamiltonian cycles are the tours.

    Forbidden moves are left out. A vertex n joins the ends of a path; a given end is joined through one more vertex.
    Each required move has a vertex in its middle, in order of number; these come last.
    """
    graph, end = problem.graph, problem.graph.n
    there = np.ones(graph.m, dtype=bool)
    there[list(problem.forbidden | problem.required)] = False
    rows: list[list[int]] = []
    size = end
    if problem.connectivity == "path":
        size += 1
        rows += [[v, end] for v in range(end) if problem.free_ends and v not in problem.terminals]
        for terminal in problem.terminals:
            rows += [[terminal, size], [size, end]]
            size += 1
    for edge in sorted(problem.required):
        u, v = graph.ends[edge].tolist()
        rows += [[u, size], [size, v]]
        size += 1
    return size, np.concatenate([graph.ends[there], np.array(rows, dtype=np.int64).reshape(-1, 2)])


def _one_way(problem: Problem) -> Iterator[list[int]]:
    """Cuts that prove that a directed graph is not strongly connected: the exits of a part that no arc enters.

    The entries of the part lead to these exits alone, so that each entry falls apart with its middle, and the rest is
    one more piece. The same holds for the entries of a part that no arc leaves.
    """
    graph = problem.graph
    if not isinstance(graph, SplitGraph) or not problem.closed:
        return
    n = graph.directed.n
    there = np.ones(graph.m, dtype=bool)
    there[list(problem.forbidden)] = False
    arcs = graph.directed.arcs[there[graph.first_arc :]]
    label = strong_components(n, arcs)
    count = int(label.max()) + 1
    if count == 1:
        return
    size, across = np.bincount(label), label[arcs[label[arcs[:, 0]] != label[arcs[:, 1]]]]
    parts = [
        (int(size[part]), first, part)
        for side, first in ((1, graph.exits), (0, graph.entries))
        for part in np.setdiff1d(np.arange(count), across[:, side]).tolist()
    ]
    _, first, part = min(parts)
    yield (first + np.flatnonzero(label == part)).tolist()


def _cut_data(problem: Problem, size: int, removed: list[int]) -> dict[str, Any]:
    """Vertices of the plain graph as cells and required moves; the vertices for the ends need no mention."""
    required = sorted(problem.required)
    cells = [v for v in removed if v < problem.graph.n]
    moves = [required[v - size + len(required)] for v in removed if v >= size - len(required)]
    return {"removed": cells, **({"moves": moves} if moves else {})}


def _cuts(size: int, ends: npt.NDArray[np.int64]) -> Iterator[list[int]]:
    """Candidates for vertex sets whose removal leaves too many pieces.

    Let A be a set of vertices with at most |A| neighbours, and let the two not be everything. Then there is no
    Hamiltonian cycle: the 2|A| edge ends of the cycle at A use up all edge ends of N(A). The set I = A less N(A) is
    independent, and removing N(I) leaves too many pieces. Such sets are the Hall violators of a maximum matching in the
    bipartite double cover, or, if the matching is perfect, its strongly connected components without a way out.
    """
    if components(size, ends).any():
        yield []
        return
    if len(ends) > MAX_EDGES_PER_VERTEX * size:
        return
    arcs = np.concatenate([ends, ends[:, ::-1]])
    # The matching of a large graph takes seconds if its colours differ in number.
    if len(arcs) > MAX_PLAIN_ARCS and len(fewer := smaller_colour_class(size, ends)):
        yield fewer.tolist()
        return
    partner = maximum_matching(size, arcs)  # The right copy of each left copy
    matched = np.flatnonzero(partner >= 0)
    owner = np.full(size, -1)
    owner[partner[matched]] = matched
    # u -> w when u is adjacent to the right copy matched to w: a set closed under -> has as many neighbours as members
    step = np.stack([arcs[:, 0], owner[arcs[:, 1]]], axis=1)[owner[arcs[:, 1]] >= 0]
    if len(matched) < size:
        yield _around(reached(neighbours(size, step), int(partner.argmin())), size, arcs)
        return
    label = strong_components(size, step)
    tails, heads = label[step].T
    has_way_out = np.zeros(label.max() + 1, dtype=bool)
    has_way_out[tails[tails != heads]] = True
    for sink in np.flatnonzero(~has_way_out)[:50].tolist():
        if removed := _around(np.flatnonzero(label == sink), size, arcs):
            yield removed
    if size <= MAX_FORCED_VERTICES and (vertex := cut_vertex(neighbours(size, arcs))) >= 0:
        yield [vertex]


def _around(closed: Any, size: int, arcs: npt.NDArray[np.int64]) -> list[int]:
    """The neighbours of those members of a set that have no neighbours in it."""
    independent = np.zeros(size, dtype=bool)
    independent[closed] = True
    inside = independent[arcs].all(axis=1)
    independent[arcs[inside, 0]] = False
    removed = np.zeros(size, dtype=bool)
    removed[arcs[independent[arcs[:, 0]], 1]] = True
    numbers: list[int] = np.flatnonzero(removed).tolist()
    return numbers
