"""The search for a short proof that a problem has no solution, before any solver starts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.certificates import Certificate, Checked, Statement
from kt_models.directed import SplitGraph
from kt_models.errors import CertificateError, TooLarge
from kt_models.existence import closed_tour_exists, open_tour_exists
from kt_models.leaper import KNIGHT
from kt_models.limits import NO_LIMITS, Limits, Stopped
from kt_models.problem import Problem

MAX_CUT_VERTICES = 300_000
"""Largest graph for cuts: a maximum matching of that size takes about a second."""
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


def _candidates(problem: Problem) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "small", {}
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
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = graph.directed.n
    there = np.ones(graph.m, dtype=bool)
    there[list(problem.forbidden)] = False
    arcs = graph.directed.arcs[there[graph.first_arc :]]
    links = coo_array((np.ones(len(arcs), dtype=np.int8), arcs.T), shape=(n, n))
    count, label = connected_components(links, directed=True, connection="strong")
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
    from scipy.sparse import coo_array, csr_array
    from scipy.sparse.csgraph import breadth_first_order, connected_components

    rows, columns = np.concatenate([ends, ends[:, ::-1]]).T
    links = coo_array((np.ones(len(rows), dtype=np.int8), (rows, columns)), shape=(size, size)).tocsr()
    if connected_components(links, directed=False)[0] > 1:
        yield []
        return
    if len(ends) > MAX_EDGES_PER_VERTEX * size:
        return
    partner = _matching(size, rows, columns)  # The right copy of each left copy.
    owner = np.full(size, -1)
    owner[partner[partner >= 0]] = np.flatnonzero(partner >= 0)
    # u -> w when u is adjacent to the right copy matched to w: a set closed under -> has as many neighbours as members
    matched = owner[columns] >= 0
    step = csr_array(
        (np.ones(matched.sum(), dtype=np.int8), (rows[matched], owner[columns[matched]])), shape=(size, size)
    )
    unmatched = np.flatnonzero(partner < 0)
    if len(unmatched):
        closed = breadth_first_order(step, int(unmatched[0]), return_predecessors=False)
        yield from _cut_of(closed, links)
    count, label = connected_components(step, directed=True, connection="strong")
    tails, heads = step.nonzero()
    has_way_out = np.zeros(count, dtype=bool)
    has_way_out[label[tails[label[tails] != label[heads]]]] = True
    for sink in np.flatnonzero(~has_way_out)[:50].tolist():
        yield from _cut_of(np.flatnonzero(label == sink), links)
    if size <= MAX_FORCED_VERTICES and (vertex := _cut_vertex(links.indptr.tolist(), links.indices.tolist())) >= 0:
        yield [vertex]


def _matching(size: int, rows: npt.NDArray[np.int64], columns: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """A maximum matching of left copies with right copies along some pairs: for each left copy its partner, or -1.

    It is computed as a flow. scipy's matching cannot be interrupted, and took minutes for a graph of 909 vertices and
    206,571 edges; the flow takes 0.1 s.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import maximum_flow

    each, source, sink = np.arange(size), 2 * size, 2 * size + 1
    tails = np.concatenate([rows, np.full(size, source), size + each])
    heads = np.concatenate([size + columns, each, np.full(size, sink)])
    room = coo_array((np.ones(len(tails), dtype=np.int32), (tails, heads)), shape=(2 * size + 2,) * 2).tocsr()
    flow = maximum_flow(room, source, sink).flow[:size].tocoo()
    partner = np.full(size, -1)
    used = (flow.data > 0) & (flow.col < source)
    partner[flow.row[used]] = flow.col[used] - size
    return partner


def _cut_of(closed: npt.NDArray[np.integer[Any]], links: Any) -> Iterator[list[int]]:
    around = np.unique(links[closed].indices)
    independent = np.setdiff1d(closed, around)
    if len(independent):
        yield np.unique(links[independent].indices).tolist()


def _cut_vertex(indptr: list[int], neighbours: list[int]) -> int:
    """A vertex whose removal disconnects a connected graph, by depth-first search (Hopcroft and Tarjan 1973); -1 if
    none.

    `low` is the least number of a vertex that is adjacent to the part below a vertex. networkx has a function for this,
    but its import takes as long as everything else for a small board.
    """
    number, low = [-1] * (len(indptr) - 1), [0] * (len(indptr) - 1)
    number[0], counted, branches = 0, 1, 0  # Start at the root.
    path, slots = [0], indptr[:-1]
    while path:
        v = path[-1]
        if slots[v] < indptr[v + 1]:
            w = neighbours[slots[v]]
            slots[v] += 1
            if number[w] < 0:
                number[w] = low[w] = counted
                counted += 1
                path.append(w)
            elif len(path) < 2 or w != path[-2]:
                low[v] = min(low[v], number[w])
            continue
        path.pop()
        if len(path) == 1:
            branches += 1
        elif path:
            if low[v] >= number[path[-1]]:
                return path[-1]
            low[path[-1]] = min(low[path[-1]], low[v])
    return 0 if branches > 1 else -1
