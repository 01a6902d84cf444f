"""The edge cuts of a graph that have two, three or four edges, found by random labels.

Each edge outside a spanning tree gets a random number, and each edge of the tree the exclusive or of the edges whose
fundamental cycles contain it. The labels of a cut's edges have exclusive or 0, and those of other sets almost never
(Pritchard and Thurimella, "Fast computation of small cuts via cycle space sampling", ACM Transactions on Algorithms,
2011). Callers verify each cut that they use.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from encoders.presolve.subgraph import Contradiction, Subgraph

MAX_EDGES = 20_000
"""Most edges of a graph for 3-edge cuts: all pairs of edges of a spanning tree are tried."""
MAX_PAIRED_EDGES = 3_000
"""Most edges of a graph for 4-edge cuts."""
MAX_CUTS = 50_000
"""Most cuts; if there are more, they say little about the graph."""
BLOCK_PAIRS = 1 << 21
"""Pairs of edges per block; it bounds the memory."""
TABLE_BITS = 8
"""The table of the low bits of labels has 2^8 entries or a few more for each edge; the whole label is compared only for
hits."""


class CycleLabels(NamedTuple):
    """The edges of a connected graph with their labels.

    Attributes
    ----------
    edges, labels
        The edges, and the label of each; those of the tree come last.
    tree_edges
        Number of edges of the spanning tree.
    up, order
        The tree: for each vertex the edge to its parent, and the parent; and the vertices, parents before children.
    """

    edges: list[int]
    labels: npt.NDArray[np.uint64]
    tree_edges: int
    up: dict[int, tuple[int, int]]
    order: list[int]


def labels_of(part: Subgraph) -> CycleLabels:
    """The edges and their labels.

    Raises
    ------
    Contradiction
        If the graph is not connected.
    """
    at = part.at
    root = next(iter(at))
    up: dict[int, tuple[int, int]] = {root: (-1, root)}
    order = [root]
    for v in order:  # The list grows during the loop.
        for edge, w in at[v].items():
            if w not in up:
                up[w] = edge, v
                order.append(w)
    if len(order) < len(at):
        raise Contradiction(order)
    tree = {edge for edge, _ in up.values()}
    others = [(edge, u, v) for edge, (u, v) in part.ends.items() if edge not in tree]
    # The seed is the size of the graph, so the same graph always gets the same cuts.
    draw = Random(len(at)).getrandbits  # NumPy's generators take longer to load than a small graph to be answered
    numbers = [draw(64) for _ in others]
    label: dict[int, int] = {}
    around = dict.fromkeys(at, 0)
    for (edge, u, v), number in zip(others, numbers, strict=True):
        label[edge] = number
        around[u] ^= number
        around[v] ^= number
    # From the leaves up: the edge to the parent gets the exclusive or over all edges that leave the subtree.
    for v in reversed(order[1:]):
        edge, parent = up[v]
        label[edge] = around[v]
        around[parent] ^= around[v]
    edges = list(label)
    return CycleLabels(edges, np.array([label[edge] for edge in edges], dtype=np.uint64), len(order) - 1, up, order)


def rings(part: Subgraph) -> list[list[int]]:
    """The classes of edges of which any two form a cut.

    Raises
    ------
    Contradiction
        If a single edge is a cut, or there is nothing to cut.
    """
    edges, labels, *_ = labels_of(part)
    # A bridge lies on no cycle, so its label is 0; other labels are 0 with probability 2^-64.
    for row in np.flatnonzero(labels == 0).tolist():
        side = _side_of_bridge(part, edges[row])
        if side:
            raise Contradiction(side)
    classes: dict[int, list[int]] = defaultdict(list)
    for edge, label in zip(edges, labels.tolist(), strict=True):
        classes[label].append(edge)
    return sorted((ring for ring in classes.values() if len(ring) > 1), key=len, reverse=True)


def _side_of_bridge(part: Subgraph, edge: int) -> list[int]:
    """One side of a bridge; an empty list if the edge is no bridge."""
    start = next(v for v, edges in part.at.items() if edge in edges)
    there, order = {start}, [start]
    for v in order:  # The list grows during the loop.
        for name, w in part.at[v].items():
            if name != edge and w not in there:
                there.add(w)
                order.append(w)
    return [] if part.at[start][edge] in there else order


def triples(part: Subgraph) -> list[tuple[int, int, int]]:
    """The 3-edge cuts of a graph without smaller cuts, except those around a vertex.

    The answer is empty for a graph that is too large, or that has no vertex of degree 3: such cuts are rare there.
    """
    m = sum(map(len, part.at.values())) // 2
    if m > MAX_EDGES or min(map(len, part.at.values())) > 3:
        return []
    known = labels_of(part)
    order = np.argsort(known.labels)
    place = np.empty(m, dtype=np.int64)
    place[order] = np.arange(m)
    number = {edge: i for i, edge in enumerate(known.edges)}
    below = [[number[edge] for edge in cut] for cut in _with_one_of_tree(part, known)]
    found = np.concatenate([place[np.array(below, dtype=np.int64).reshape(-1, 3)], _with_two_of_tree(known, order)])
    # The edges of a cut are in the order of their labels, and a cut with three edges of the tree is found three times.
    # Without indices `np.unique` loads masked arrays, which takes as long as a small graph.
    cuts = order[np.unique(np.sort(found, axis=1), axis=0, return_index=True)[0]]
    around = {frozenset(at) for at in part.at.values() if len(at) == 3}
    cuts_by_edge = [(known.edges[a], known.edges[b], known.edges[c]) for a, b, c in sorted(cuts.tolist())]
    return [cut for cut in cuts_by_edge if frozenset(cut) not in around]


def _with_two_of_tree(known: CycleLabels, order: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The 3-edge cuts with at least two edges of the spanning tree, as places in the order of labels, shape (c, 3)."""
    labels, m = known.labels[order], len(order)
    tree = np.flatnonzero(order >= m - known.tree_edges)
    of_tree = labels[tree]
    # The table of low bits rejects nearly all pairs before the search among whole labels.
    size = 1 << TABLE_BITS + m.bit_length()
    low = np.uint64(size - 1)
    likely = np.zeros(size, dtype=bool)
    likely[(labels & low).astype(np.int64)] = True
    short = (of_tree & low).astype(np.int32)
    cuts = [np.zeros((0, 3), dtype=np.int64)]
    rows = max(1, BLOCK_PAIRS // m)
    # Blocks of rows keep the matrix of pairs within a fixed memory.
    for first in range(0, len(tree), rows):
        i, j = np.nonzero(likely[short[first : first + rows, None] ^ short[None, first:]])
        i, j = i + first, j + first
        third = of_tree[i] ^ of_tree[j]
        k = np.searchsorted(labels, third)
        k[k == m] = 0
        there = (labels[k] == third) & (i < j)
        cuts.append(np.stack([tree[i[there]], tree[j[there]], k[there]], axis=1))
    return np.concatenate(cuts)


def _with_one_of_tree(part: Subgraph, known: CycleLabels) -> Iterator[set[int]]:
    """The 3-edge cuts with one edge of the spanning tree: two others leave the subtree below it."""
    leaving = {v: set(edges) for v, edges in part.at.items()}
    for v in reversed(known.order[1:]):
        _, parent = known.up[v]
        below, above = leaving.pop(v), leaving[parent]
        if len(below) == 3:
            yield set(below)
        # The smaller set goes into the larger one, so that an edge moves a logarithmic number of times.
        small, large = sorted((below, above), key=len)
        large ^= small
        leaving[parent] = large


def quadruples(part: Subgraph) -> list[tuple[int, int, int, int]]:
    """The 4-edge cuts of a graph that are not two 3-edge cuts; some of them are around a vertex.

    The answer is empty for a graph that is too large: all pairs of edges are sorted, at this size in about a second.
    """
    m = sum(map(len, part.at.values())) // 2
    if m > MAX_PAIRED_EDGES:
        return []
    edges, labels, *_ = labels_of(part)
    # Two pairs of edges with equal exclusive or form a cut of four edges.
    first, second = np.triu_indices(m, 1)
    both = labels[first] ^ labels[second]
    order = np.argsort(both)
    both, first, second = both[order], first[order], second[order]
    starts = np.flatnonzero(np.r_[True, both[1:] != both[:-1]])
    counts = np.diff(np.r_[starts, len(both)])
    # A value that is itself a label belongs to 3-edge cuts, which `triples` finds.
    several = (counts > 1) & ~np.isin(both[starts], labels)
    cuts: set[tuple[int, ...]] = set()
    for start, count in zip(starts[several].tolist(), counts[several].tolist(), strict=True):
        pairs = zip(first[start : start + count].tolist(), second[start : start + count].tolist(), strict=True)
        for (a, b), (c, d) in combinations(pairs, 2):
            cuts.add(tuple(sorted((a, b, c, d))))
            if len(cuts) > MAX_CUTS:
                return []
    return [(edges[a], edges[b], edges[c], edges[d]) for a, b, c, d in sorted(cuts)]
