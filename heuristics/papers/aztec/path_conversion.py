"""The path-conversion algorithm of Davies, Xue and Yerger (2017, section 4), with the variants that section 7 asks for.

1. An open tour by Warnsdorff's rule (`heuristics.searches.warnsdorff`).
2. It is cut into closed ones: from the first vertex of what is left, the piece up to one of its neighbours becomes a
   cycle. The paper takes the neighbour that comes last (`cut=greatest`).
3. Two cycles are joined where an edge of one is parallel to an edge of the other: where the graph joins their ends
   crosswise, the two edges are exchanged for those (`heuristics.merging`).
4. If one cycle is left it is the tour; otherwise the next start.

How the text is read. "A neighbour of v is the n-th vertex" holds for n = 2, so a piece may be a single edge; to join
it to a cycle is to insert it (`pairs=no` wants three vertices or more: then most cuttings fail). The paper does not
say in which order cycles are joined: `join=number` goes through the vertices by number until nothing changes. Where
the last piece does not close, the next start is taken.

What section 7 asks for, as parameters:

- `tie_break`: better ties in step 1;
- `cut`: `fewest` cycles (found exactly, by dynamic programming from the end of the path), or of those cuttings the most
  `even` one (least sum of squared lengths);
- `pairs=no`: no piece of a single edge, as those are the hardest to join;
- `join`: `shortest` cycles first (the order that the paper thinks may help), or `kick`: where nothing can be joined,
  random exchanges shake what is left, as in the method `merge`.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt

from heuristics.merging import label_cycles, merge_cycles, swept
from heuristics.method import Method
from heuristics.searches.warnsdorff import TieBreak, Walker, record_walk
from heuristics.simple_graph import simple_graph_or_result
from kt_models.board import IntArray
from kt_models.graph import MoveGraph
from kt_models.jit import kernel
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.recording import Recording
from kt_models.result import Result

CutRule = Literal["greatest", "fewest", "even"]
Join = Literal["number", "shortest", "kick"]


def path_conversion(
    problem: Problem,
    *,
    limits: Limits = NO_LIMITS,
    watch: Recording | None = None,
    tie_break: TieBreak = "ordered",
    cut: CutRule = "greatest",
    pairs: bool = True,
    join: Join = "kick",
    origin: str = "",
    passes: int = 1,
) -> Result:
    """Cut and join open tours by Warnsdorff's rule, from each start in turn until one becomes a tour.

    The paper's algorithm is the preset `paper`, which joins exactly as the text says. An open tour is found as a closed
    one through auxiliary vertices.

    Parameters
    ----------
    tie_break, origin, passes
        As in `warnsdorff`.
    cut, pairs, join
        See the module's text.

    Returns
    -------
    Result
        Statistics: the `walks` made; the `open_tours` among them; of these the number `uncut`, without a cutting, and
        `unjoined`; `cycles` and `shortest`, the number of pieces of the last cutting and the length of its shortest
        piece.
    """
    instance = simple_graph_or_result(problem)
    if isinstance(instance, Result):
        return instance
    rng = np.random.default_rng(limits.seed)
    walker = Walker(instance, tie_break, rng, start=origin)
    count: dict[str, int | float] = dict.fromkeys(("walks", "open_tours", "uncut", "unjoined", "cycles", "shortest"), 0)
    for number in walker.turns(passes):
        if limits.over:
            break
        count["walks"] += 1
        is_full = walker.walk(number)
        if watch is not None:
            record_walk(watch, walker, each_move=False)
        if not is_full:
            continue
        count["open_tours"] += 1
        pieces = cut_path(walker, cut, pairs)
        if pieces is None:
            count["uncut"] += 1
            continue
        lengths = np.diff(np.append(pieces, instance.graph.n))
        count["cycles"], count["shortest"] = len(pieces), int(lengths.min())
        links = links_of_pieces(walker.path, pieces)
        if watch is not None:
            _record_cuts(watch, walker.path, pieces)
        if join_cycles(instance.graph, links, join, rng, limits, watch) == 1:
            return Result(problem, "feasible", instance.lift(round_of(links)), statistics=count)
        count["unjoined"] += 1
    return Result(problem, "unknown", statistics=count)


def cut_path(walker: Walker, cut: CutRule, pairs: bool) -> npt.NDArray[np.int64] | None:
    """The first places of the pieces of the walker's path, each of which closes; None if it cannot be cut to the end.

    Parameters
    ----------
    pairs
        Whether two vertices make a piece.
    """
    arguments = walker.indptr, walker.heads, walker.path, 1 if pairs else 2
    pieces = cut_greatest(*arguments) if cut == "greatest" else cut_fewest(*arguments, cut == "even")
    return pieces if len(pieces) else None


def links_of_pieces(path: IntArray, pieces: npt.NDArray[np.int64]) -> IntArray:
    # All vertices get their neighbours on the path first; then the ends of each piece are joined to each other.
    """The two neighbours of each vertex on its cycle, shape (n, 2)."""
    before, after = np.roll(path, 1), np.roll(path, -1)
    last = np.append(pieces[1:], len(path)) - 1
    before[pieces], after[last] = path[last], path[pieces]
    links = np.empty((len(path), 2), dtype=np.int32)
    links[path, 0], links[path, 1] = before, after
    return links


def _record_cuts(steps: Recording, path: IntArray, pieces: npt.NDArray[np.int64]) -> None:
    """Add a step for each piece of an open tour that becomes a cycle."""
    walk = path.tolist()
    bounds = [*pieces.tolist(), len(walk)]
    cycles: dict[str, list[tuple[int, int]]] = {}
    for number, (first, end) in enumerate(pairwise(bounds), start=1):
        piece = walk[first:end]
        cycles[f"cycle {number}"] = [*pairwise(piece), (piece[-1], piece[0])]
        start, last = steps.name(piece[0]), steps.name(piece[-1])
        cells = sum(v < steps.graph.n for v in piece)
        text = f"Cut: the piece from {start} to its neighbour {last} becomes a cycle of {cells} cells."
        steps.record(text, path=walk[end:], pairs=cycles, cells=(piece[0], piece[-1]))


def join_cycles(
    graph: MoveGraph,
    links: IntArray,
    join: Join,
    rng: np.random.Generator,
    limits: Limits,
    watch: Recording | None = None,
) -> int:
    """Join cycles in place by parallel edges; return the number that is left."""
    if join == "kick":
        return merge_cycles(graph, links, rng, limits, watch)
    root = np.empty(graph.n, dtype=np.int32)
    order = np.arange(graph.n)
    cycles = int(label_cycles(links, root))
    while cycles > 1:
        if join == "shortest":
            # Vertices of the shortest cycles come first: these have the fewest edges at which they can be joined.
            order = np.argsort(np.bincount(root, minlength=graph.n)[root], kind="stable")
        joined = swept(graph, links, root, order, watch)
        if not joined:
            break
        cycles -= joined
        label_cycles(links, root)
    return cycles


@kernel("int64[::1](int64[::1], int32[::1], int32[::1], int64)")
def cut_greatest(indptr, heads, path, least):  # type: ignore[no-untyped-def]
    """Cut behind the last neighbour, again and again; empty if a piece would have fewer than `least` steps."""
    n = len(path)
    place = np.empty(n, dtype=np.int32)
    for i in range(n):
        place[path[i]] = i
    pieces = np.empty(n, dtype=np.int64)
    count, begin = 0, 0
    while begin < n:
        # A piece may end at any later neighbour of its first vertex, since this edge closes it.
        end = -1
        for slot in range(indptr[path[begin]], indptr[path[begin] + 1]):
            end = max(end, place[heads[slot]])
        if end < begin + least:
            return pieces[:0]
        pieces[count] = begin
        count += 1
        begin = end + 1
    return pieces[:count]


@kernel("int64[::1](int64[::1], int32[::1], int32[::1], int64, boolean)")
def cut_fewest(indptr, heads, path, least, even):  # type: ignore[no-untyped-def]
    """The cutting with the fewest pieces; if `even`, among those one with the least sum of squared lengths.

    `fewest[i]` and `squares[i]` are these two numbers for the path from place i on.
    """
    n = len(path)
    place = np.empty(n, dtype=np.int32)
    for i in range(n):
        place[path[i]] = i
    fewest_pieces = np.full(n + 1, n + 1, dtype=np.int64)
    squares = np.zeros(n + 1, dtype=np.float64)
    onward = np.zeros(n, dtype=np.int64)
    fewest_pieces[n] = 0
    # From the end of the path to its start, so that the best cutting of each rest is known when it is needed.
    for begin in range(n - 1, -1, -1):
        for slot in range(indptr[path[begin]], indptr[path[begin] + 1]):
            end = place[heads[slot]]
            if end < begin + least or fewest_pieces[end + 1] > n:
                continue
            count = fewest_pieces[end + 1] + 1
            square = squares[end + 1] + float(end + 1 - begin) ** 2
            if count < fewest_pieces[begin] or (even and count == fewest_pieces[begin] and square < squares[begin]):
                fewest_pieces[begin], squares[begin], onward[begin] = count, square, end + 1
    pieces = np.empty(n, dtype=np.int64)
    if fewest_pieces[0] > n:
        return pieces[:0]
    count, begin = 0, 0
    while begin < n:
        pieces[count] = begin
        count += 1
        begin = onward[begin]
    return pieces[:count]


@kernel("int32[::1](int32[:, ::1])")
def round_of(links):  # type: ignore[no-untyped-def]
    """The vertices of the one cycle, in order."""
    n = len(links)
    order = np.empty(n, dtype=np.int32)
    before, u = links[0, 1], 0
    for i in range(n):
        order[i] = u
        onward = links[u, 1] if links[u, 0] == before else links[u, 0]
        before, u = u, onward
    return order


METHOD = Method(
    path_conversion,
    "Cut an open tour by Warnsdorff's rule into cycles and join them (Davies, Xue, Yerger 2017).",
    presets={"paper": {"join": "number"}},
)
