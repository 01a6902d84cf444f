"""How many Hamiltonian paths of a graph path-conversion finds and turns into cycles (Davies, Xue, Yerger 2017, 5.2).

Unlike `kt find --method path-conversion` this continues after the first success, and starts at every vertex once. The
steps are those of `heuristics.papers.aztec.path_conversion` with its defaults. They are in one kernel, since a row of a
table takes a million of them. Joining begins at the vertices that are not on the longest cycle, since one of any two
joined cycles is not the longest. So the exchanges are the same, in another order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heuristics.compiled_helpers import random_state
from heuristics.merging import label_cycles, sweep
from heuristics.papers.aztec.path_conversion import cut_greatest
from heuristics.papers.aztec.variants import TEXT, Variant, variant_named, walk_by_variant
from heuristics.searches.warnsdorff import walk_by_rule
from kt_models.graph import MoveGraph
from kt_models.jit import kernel


@dataclass(frozen=True)
class Tally:
    """The counts for one graph.

    Parameters
    ----------
    paths
        Starts from which Warnsdorff's rule found a Hamiltonian path.
    cycles
        Number of them that were turned into a Hamiltonian cycle.
    dropped
        Number of disconnected graphs drawn before this graph.
    least
        The least degree of a vertex; with 1 there is no Hamiltonian cycle.
    """

    paths: int
    cycles: int
    dropped: int
    least: int


def tally(graph: MoveGraph, *, pairs: bool = True, dropped: int = 0, variant: str = TEXT) -> Tally:
    """Try path-conversion from every vertex of a graph.

    Parameters
    ----------
    pairs
        Whether two vertices make a piece (see `heuristics.papers.aztec.path_conversion`).
    variant
        A reading of the rule, from `heuristics.papers.aztec.variants`.
    """
    owner = np.repeat(np.arange(graph.n), graph.degrees)
    heads, down = (graph.neighbours[np.lexsort((sign * graph.neighbours, owner))] for sign in (1, -1))
    state = random_state(np.random.default_rng(0))  # The rule draws nothing, but the kernel needs a random state.
    way: Variant = variant_named(variant)
    reading = np.array([-1 if variant == TEXT else way.ties, way.turns, way.rotations, way.tries])
    degrees = graph.degrees.astype(np.int32)
    paths, cycles = _tally(graph.indptr, heads, down, degrees, 1 if pairs else 2, reading, state)
    return Tally(int(paths), int(cycles), dropped, int(graph.degrees.min()))


@kernel("UniTuple(int64, 2)(int64[::1], int32[::1], int32[::1], int32[::1], int64, int64[::1], uint64[::1])")
def _tally(indptr, heads, down, degrees, least, reading, state):  # type: ignore[no-untyped-def]
    n = len(degrees)
    free, path, place = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int32)
    none = np.zeros(0, dtype=np.int64)
    breaks = (0, none, np.zeros(0, dtype=np.int8), np.zeros((0, 9), dtype=np.int64), none, state)  # By number.
    opening = np.empty(1, dtype=np.int32)
    links, root = np.empty((n, 2), dtype=np.int32), np.empty(n, dtype=np.int32)
    paths, cycles = 0, 0
    for start in range(n):
        opening[0] = start
        if reading[0] < 0:
            length = walk_by_rule((indptr, heads, degrees), breaks, opening, free, path, True)
        else:
            length = walk_by_variant(
                indptr, heads, degrees, start, reading[0], reading[1], reading[2], free, path, place
            )
        if length < n and reading[3] > 1:  # `down` has the neighbours in the other order
            length = walk_by_variant(
                indptr, down, degrees, start, reading[0], reading[1], reading[2], free, path, place
            )
        if length < n:
            continue
        paths += 1
        pieces = cut_greatest(indptr, heads, path, least)
        if len(pieces) == 0:
            continue
        _link(path, pieces, links)
        left = len(pieces)
        while left > 1:
            label_cycles(links, root)
            joined = sweep(indptr, heads, links, root, _off_longest(root))
            left -= joined
            if joined == 0:
                break
        cycles += left == 1
    return paths, cycles


@kernel("void(int32[::1], int64[::1], int32[:, ::1])")
def _link(path, pieces, links):  # type: ignore[no-untyped-def]
    """The two neighbours of every vertex on its cycle."""
    n = len(path)
    for k in range(len(pieces)):
        begin, end = pieces[k], (pieces[k + 1] if k + 1 < len(pieces) else n) - 1
        for i in range(begin, end + 1):
            links[path[i], 0] = path[i - 1] if i > begin else path[end]
            links[path[i], 1] = path[i + 1] if i < end else path[begin]


@kernel("int64[::1](int32[::1])")
def _off_longest(root):  # type: ignore[no-untyped-def]
    """The vertices that are not on the longest cycle, by number."""
    size = np.zeros(len(root), dtype=np.int64)
    longest = root[0]
    for u in range(len(root)):
        size[root[u]] += 1
    for u in range(len(root)):
        if size[u] > size[longest]:
            longest = u
    others, count = np.empty(len(root), dtype=np.int64), 0
    for u in range(len(root)):
        if root[u] != longest:
            others[count] = u
            count += 1
    return others[:count]
