"""Lower bounds by duality: a tree of cases with dual multipliers in its leaves, walked once in exact integers.

The problem is decomposed by vertex. An *option* of a vertex is a choice of its two edges, or of one edge at an end of
a path (`nodes`). If weights are on pairs of edges that meet, as turns are, the value of a solution is the sum of the
weights of its options. Relax the condition that both ends of an edge agree, and any other linear inequality that
solutions satisfy, for a price:

    value  >=  sum_r z_r least_r  -  end * (free ends)  +  sum_v  min over the options o allowed at v of
                                                                  (weight of o + prices of o),

where the price of using edge e is `y_e` at its tail and `-y_e - sum_r z_r a_re` at its head, that of ending a path at a
vertex that is not given is `end - sum_r z_r [v in S_r]`, for any integers `y` and `end` and any `z_r >= 0`; r runs over
inequalities `sum_e a_re x_e + (free ends in S_r) >= least_r` (`cuts`). To see this, add up what a solution pays: the
two prices of an edge sum to minus its coefficients in the rows. This is weak duality, for any numbers. Pairs of edges
that do not meet are left out, and the sum of their negative weights is subtracted.

Restricting the options of some vertices only makes the minima larger: the same multipliers bound every subtree. A tree
therefore changes them a little from node to node, and a leaf is closed by the multipliers in force, or by propagation
alone. The linear relaxation is the tree with a single leaf.

Without an objective every solution has the value 0. So no solution exists if every leaf has a bound above 0: its
multipliers are then a Farkas combination, which contradicts the degrees, the cuts and what the leaf allows.

Data, integers throughout:

- `denominator` of all multipliers;
- `cuts`, each `[vertices, teeth]`;
- `multipliers`, pairs `[number, value]`: the edges first (`y`), then the free end, then the cuts (`z`); others are 0;
- `symmetry`: signed axis permutations; the multipliers above are meant for all images under the group they generate;
- `nodes`: the tree in preorder, the first child before the second, children without a solution left out; without it
  a single leaf. A node is a list of integers: `0` for a leaf; `1, edge` or `2, edge` for USED or UNUSED;
  `3, vertex, t` or `4, vertex, t` for LIGHT or HEAVY; then `number, change, number, change, ...`: what changes of the
  multipliers in force, for this node and all below it (not for images).

A bound is rounded up to a value that the objective can have (`rounding`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kt_models.errors import CertificateError, KTError
from kt_models.json_values import integer, integers, rows
from kt_models.kernel.certificates.cut_inequalities import Cut, Inequality, inequality, read_cuts
from kt_models.kernel.certificates.integers import Ints, largest, require_fit
from kt_models.kernel.certificates.nodes import (
    HEAVY,
    LEAF,
    MAX_OPTIONS,
    NOTHING,
    UNUSED,
    USED,
    Branching,
    Instance,
    Options,
    State,
)
from kt_models.kernel.certificates.rounding import lift_total
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem
from kt_models.symmetry import Symmetry, generate

MAX_NUMBER = 2**40
"""Largest absolute value of a number in a certificate."""
MAX_ENTRIES = 20_000_000
"""Most entries of waiting nodes, and of cuts with their images."""
MAX_IMAGES = 100_000
"""Most cuts, images included."""
MAX_CUT_WORK = 2_000_000_000
"""Most vertices and edges that are compared with cuts and their images: some seconds of work."""
MAX_SYMMETRIES, MAX_MAPPED = 4000, 400_000_000
"""Most symmetries of the data (3840 in five dimensions), and most images of vertices and edges under them."""
FORBIDDEN = np.int64(2**62)
"""Cost of an option that is not allowed: more than any other."""


class Inequalities(NamedTuple):
    """Sparse rows of inequalities: sums of edges and of free ends that are at least `least`."""

    edge: Ints
    sign: Ints
    row: Ints
    """Edge, coefficient and row of each entry for an edge."""
    end_vertex: Ints
    end_row: Ints
    """Vertex and row of each entry for a free end; its coefficient is 1."""
    least: list[int]
    """Right-hand side of each row."""


_NONE = np.zeros(0, dtype=np.int64)
NO_INEQUALITIES = Inequalities(_NONE, _NONE, _NONE, _NONE, _NONE, [])


class Prices(NamedTuple):
    """Costs of options: of an edge at its tail or head, shape (m,), and of a free end at a vertex, shape (n,)."""

    tail: Ints
    head: Ints
    end: Ints
    constant: int


class Images:
    """Images of vertices and edges under a group, the identity first.

    `swapped` says whether the tail of an edge goes to the head of its image.
    """

    def __init__(self, problem: Problem, group: Sequence[Symmetry]) -> None:
        graph = problem.graph
        self.vertices: list[Any] = [np.arange(graph.n, dtype=np.int32)]
        self.edges: list[Any] = [np.arange(graph.m, dtype=np.int32)]
        for symmetry in group[1:]:
            if graph.board is not None:
                self.vertices.append(symmetry.permutation(graph.board))
                self.edges.append(graph.edge_permutation(symmetry))
        self.swapped = [v[graph.tails] != graph.tails[e] for v, e in zip(self.vertices, self.edges, strict=True)]

    def of_cut(self, cut: Cut) -> list[Cut]:
        """Distinct images of a cut, the cut itself first."""
        images: dict[Cut, None] = {}
        for vertices, edges in zip(self.vertices, self.edges, strict=True):
            image = Cut(
                tuple(sorted(vertices[list(cut.vertices)].tolist())), tuple(sorted(edges[list(cut.teeth)].tolist()))
            )
            images[image] = None
        return list(images)


class Evaluator:
    """Evaluates the bound of multipliers at a node.

    Multipliers are one integer array: `y` of every edge, the price of a free end, and `z` of every cut; all are in
    units of 1 / `denominator`. They come on top of `base`, which is there at every node.

    Parameters
    ----------
    base
        Prices that are in force at every node, and the multipliers of cuts that they contain.

    Raises
    ------
    CertificateError
        If a cut does not hold for every solution.
    """

    def __init__(
        self, instance: Instance, cuts: Sequence[Cut], denominator: int, base: tuple[Prices, Ints] | None = None
    ) -> None:
        self.instance, self.denominator = instance, denominator
        n, m = instance.n, instance.m
        self.rows = NO_INEQUALITIES
        tail, head, end = (np.zeros(k, dtype=np.int64) for k in (m, m, n))
        free = Prices(tail, head, end, 0)
        self.base, self.base_cuts = base or (free, np.zeros(0, dtype=np.int64))
        self.append(cuts)

    @property
    def size(self) -> int:
        """Number of multipliers."""
        return self.instance.m + 1 + len(self.rows.least)

    def append(self, cuts: Sequence[Cut]) -> list[Inequality]:
        """Append cuts, and return their inequalities."""
        added = [inequality(self.instance.problem, cut) for cut in cuts]
        self.rows = _joined(self.rows, added)
        if len(self.base_cuts) < len(self.rows.least):
            more = len(self.rows.least) - len(self.base_cuts)
            self.base_cuts = np.concatenate([self.base_cuts, np.zeros(more, dtype=np.int64)])
        return added

    def prices(self, multipliers: Ints) -> Prices:
        """Prices from the base and the multipliers."""
        instance, m = self.instance, self.instance.m
        y, end, z = multipliers[:m], int(multipliers[m]), multipliers[m + 1 :]
        added = _prices_of(instance, y, end, self.rows, z)
        both = Prices(
            self.base.tail + added.tail,
            self.base.head + added.head,
            self.base.end + added.end,
            self.base.constant + added.constant,
        )
        pair = 2 * max(largest(both.tail), largest(both.head))
        # Each cost is a sum of these three parts: it must fit into 64 bits
        require_fit([self.denominator * instance.weights.heaviest, pair, largest(both.end)], "multipliers")
        return both

    def costs(self, prices: Prices, options: Options, vertices: Ints) -> Ints:
        """Weight plus prices of options, shape (k,); `vertices` has the vertex of each."""
        tails = self.instance.problem.graph.tails
        two = options.second >= 0
        last = np.where(two, options.second, options.first)
        first = np.where(tails[options.first] == vertices, prices.tail[options.first], prices.head[options.first])
        second = np.where(tails[last] == vertices, prices.tail[last], prices.head[last])
        second = np.where(two, second, prices.end[vertices])
        return self.denominator * options.cost + first + second

    def bound(self, state: State, multipliers: Ints) -> int:
        """Bound at a node, in units of 1 / denominator."""
        prices = self.prices(multipliers)
        options, vertices = self.instance.options, self._vertex_of_options
        costs = np.where(self.allowed(state), self.costs(prices, options, vertices), FORBIDDEN)
        # The sum is in Python's integers: minima of many vertices could overflow
        return prices.constant + sum(np.minimum.reduceat(costs, options.start[:-1]).tolist())

    def bound_of_all(self, multipliers: Ints, limits: Limits = NO_LIMITS) -> int:
        """Bound with all options that the problem allows, a block of vertices at a time."""
        prices = self.prices(multipliers)
        return prices.constant + sum(sum(block.tolist()) for block in self.minima(prices, limits))

    def minima(self, prices: Prices, limits: Limits = NO_LIMITS) -> Iterator[Ints]:
        """Cost of the cheapest option at each vertex, with all options that the problem allows."""
        instance = self.instance
        # Blocks with about MAX_OPTIONS options each, whatever the size of the graph
        block = max(1, instance.n * MAX_OPTIONS // max(1, instance.count))
        for begin in range(0, instance.n, block):
            limits.check()
            vertices = np.arange(begin, min(instance.n, begin + block))
            options = instance.options_of(vertices)
            widths = np.diff(options.start)
            if not widths.all():
                raise CertificateError("a vertex has no allowed option: the problem has no solution")
            costs = self.costs(prices, options, np.repeat(vertices, widths))
            yield np.minimum.reduceat(costs, options.start[:-1])

    @cached_property
    def _vertex_of_options(self) -> Ints:
        """The vertex of each option, shape (k,)."""
        return np.repeat(np.arange(self.instance.n), np.diff(self.instance.options.start))

    def allowed(self, state: State) -> npt.NDArray[np.bool_]:
        """Mask of the options that a node allows, shape (k,)."""
        widths = self.instance.widths
        # Masks as bytes, so that one call of numpy unpacks the bits of all vertices
        packed = b"".join(
            [mask.to_bytes((w + 7) // 8, "little") for mask, w in zip(state.options, widths, strict=True)]
        )
        bits = np.unpackbits(np.frombuffer(packed, dtype=np.uint8), bitorder="little")
        return bits[self._bit].astype(np.bool_)

    @cached_property
    def _bit(self) -> Ints:
        """Position of each option among the bits of all masks, each padded to whole bytes."""
        widths = np.diff(self.instance.options.start)
        begin = np.cumsum((widths + 7) // 8 * 8) - (widths + 7) // 8 * 8
        return np.arange(len(self.instance.options.first)) + np.repeat(begin - self.instance.options.start[:-1], widths)


def _joined(rows: Inequalities, added: Sequence[Inequality]) -> Inequalities:
    """Append inequalities to rows."""
    first = len(rows.least)
    number = range(first, first + len(added))
    joined = Inequalities(
        np.concatenate([rows.edge, *(a.edges for a in added)]),
        np.concatenate([rows.sign, *(a.signs for a in added)]),
        np.concatenate([rows.row, *(np.full(len(a.edges), r) for r, a in zip(number, added, strict=True))]),
        np.concatenate([rows.end_vertex, *(a.vertices for a in added)]),
        np.concatenate([rows.end_row, *(np.full(len(a.vertices), r) for r, a in zip(number, added, strict=True))]),
        [*rows.least, *(a.least for a in added)],
    )
    if len(joined.edge) + len(joined.end_vertex) > MAX_ENTRIES:
        raise CertificateError(f"{len(joined.least):,} cuts: too many")
    return joined


def _prices_of(instance: Instance, y: Ints, end: int, rows: Inequalities, z: Ints) -> Prices:
    """Prices from the multipliers `y` of edges, `end` of free ends and `z` of inequalities (see the module)."""
    total = sum(map(abs, z.tolist()))
    require_fit([largest(y), total, abs(end)], "multipliers")
    sums, ends = np.zeros(instance.m, dtype=np.int64), np.where(instance.free, np.int64(end), 0)
    # `add.at`, as an edge may occur in many cuts
    np.add.at(sums, rows.edge, rows.sign * z[rows.row])
    np.subtract.at(ends, rows.end_vertex, z[rows.end_row])
    constant = sum(a * b for a, b in zip(z.tolist(), rows.least, strict=True)) - end * instance.free_ends
    return Prices(y, -y - sums, ends, constant)


# -- reading a certificate ----------------------------------------------------------------------------------------


def bound(problem: Problem, data: dict[str, Any], limits: Limits = NO_LIMITS) -> int:
    """Greatest integer bound that a certificate shows for every solution of a problem.

    Raises
    ------
    CertificateError
        If the data is malformed, omits a part of the tree, or does not apply to that problem.
    Stopped
        If a limit is reached.
    """
    instance = Instance(problem)
    evaluator, least = _least(instance, data, limits)
    if least is None:
        raise CertificateError("the tree shows that there is no solution at all, which is not a bound")
    return lift_total(problem, least + evaluator.denominator * instance.weights.apart, evaluator.denominator)


def refute(problem: Problem, data: dict[str, Any], limits: Limits = NO_LIMITS) -> str:
    """Check that a problem has no solution, by a tree whose bounds without an objective are above 0; return why.

    Raises
    ------
    CertificateError
        If a leaf has no bound above 0, or as `bound` does.
    Stopped
        If a limit is reached.
    """
    least = _least(Instance(replace(problem, objective=NOTHING)), data, limits)[1]
    if least is not None and least <= 0:
        raise CertificateError(f"in a leaf of the tree the multipliers come to {least}: no contradiction")
    count = len(data.get("nodes", [[LEAF]]))
    return "degrees and cuts contradict each other" + (
        f" in each leaf of a tree of {count:,} nodes" if count > 1 else ""
    )


def _least(instance: Instance, data: dict[str, Any], limits: Limits) -> tuple[Evaluator, int | None]:
    """The least bound of a leaf, in units of 1 / denominator; None if no leaf is left."""
    nodes = data.get("nodes", [[LEAF]])
    if type(nodes) is not list:
        raise CertificateError("'nodes' is not a list")
    if instance.n > 2 * instance.m:
        raise CertificateError("a vertex has no allowed option: the problem has no solution")
    evaluator = read_evaluator(instance, data)
    # A single leaf needs no state, so large boards are evaluated in blocks
    if nodes == [[LEAF]] and instance.count > MAX_OPTIONS:
        return evaluator, evaluator.bound_of_all(np.zeros(evaluator.size, dtype=np.int64), limits)
    walk = Preorder(instance, evaluator)
    least: int | None = None
    for node in nodes:
        limits.check()
        state, multipliers, branching = walk.step(node)
        if branching is None:
            value = evaluator.bound(state, multipliers)
            least = value if least is None else min(least, value)
    if walk.pending:
        raise CertificateError(f"the tree breaks off after {len(nodes)} nodes")
    return evaluator, least


def read_evaluator(instance: Instance, data: dict[str, Any]) -> Evaluator:
    """Read the cuts of a certificate, and the multipliers in force at its root."""
    problem, m = instance.problem, instance.m
    denominator = integer(data.get("denominator", 1), "denominator", 1, MAX_NUMBER)
    cuts = read_cuts(problem, data.get("cuts", []))
    images = read_symmetry(problem, data.get("symmetry", []))
    pairs = rows(data.get("multipliers", []), "multipliers", 2)
    numbers = integers([p[0] for p in pairs], "multipliers", 0, m + len(cuts), distinct=True)
    values = integers([p[1] for p in pairs], "a multiplier", -MAX_NUMBER, MAX_NUMBER)
    z = np.zeros(len(cuts), dtype=np.int64)
    end = 0
    listed: dict[int, int] = {}
    for number, value in zip(numbers, values, strict=True):
        if number < m:
            listed[number] = value
        elif number == m:
            end = value
        else:
            z[number - m - 1] = integer(value, "the multiplier of a cut", 0, MAX_NUMBER)
    if len(cuts) * len(images.edges) * (problem.graph.n + m) > MAX_CUT_WORK:
        raise CertificateError(f"{len(cuts):,} cuts: too many for a graph of {m:,} edges")
    if len(cuts) * len(images.edges) > MAX_IMAGES:
        raise CertificateError(f"cuts: more than {MAX_IMAGES:,}, with their images")
    # Cuts without a multiplier at the root are read, but cost nothing here
    family = [(image, r) for r, cut in enumerate(cuts) if z[r] for image in images.of_cut(cut)]
    everything = _joined(NO_INEQUALITIES, [inequality(problem, cut) for cut, _ in family])
    share = z[np.array([r for _, r in family], dtype=np.int64)]
    prices = _prices_of(instance, np.zeros(m, dtype=np.int64), end, everything, share)
    tail = np.zeros(m, dtype=np.int64)
    edges, numbers_at_tail = np.array(list(listed), dtype=np.int64), np.array(list(listed.values()), dtype=np.int64)
    # The identity comes last: an edge that is listed keeps its own number
    for image, swapped in zip(images.edges[::-1], images.swapped[::-1], strict=True):
        there = image[edges]
        tail[there] = np.where(swapped[edges], prices.head[there] - numbers_at_tail, numbers_at_tail)
    return Evaluator(instance, cuts, denominator, (prices._replace(tail=tail, head=prices.head - tail), z))


def read_symmetry(problem: Problem, texts: Any) -> Images:
    """Images under the group that some symmetries of the board generate."""
    board = problem.graph.board
    if type(texts) is not list or not all(isinstance(t, str) for t in texts) or len(texts) > 16:
        raise CertificateError("'symmetry' is not a list of at most 16 texts")
    if not texts:
        return Images(problem, [Symmetry.identity(2)])
    if board is None:
        raise CertificateError("a graph without a board has no geometric symmetry")
    try:
        generators = [Symmetry.parse(text, board.dimension) for text in texts]
    except KTError as error:
        raise CertificateError(str(error)) from None
    if not all(generator.fixes(board) for generator in generators):
        raise CertificateError("a symmetry of the certificate is not a symmetry of the board")
    try:
        group = generate(generators, board)
    except KTError as error:
        raise CertificateError(str(error)) from None
    if len(group) * (problem.graph.n + problem.graph.m) > MAX_MAPPED or len(group) > MAX_SYMMETRIES:
        raise CertificateError(f"a group of {len(group):,} symmetries: too many on a board of this size")
    return Images(problem, group)


class Preorder:
    """A walk through a tree in preorder: each step takes a node of the certificate and checks that it fits.

    `pending` are the nodes still to be entered, the next one last, with the multipliers in force there.
    """

    def __init__(self, instance: Instance, evaluator: Evaluator) -> None:
        self.instance, self.evaluator, self.place = instance, evaluator, 0
        root = instance.root()
        self.pending = [] if root is None else [(root, np.zeros(evaluator.size, dtype=np.int64))]

    def step(self, node: Any) -> tuple[State, Ints, Branching | None]:
        """Enter the next node: its state, its multipliers, and its branching (`None` at a leaf).

        Raises
        ------
        CertificateError
            If there is no next node, or this cannot be it.
        """
        if not self.pending:
            raise CertificateError(f"the tree is complete after {self.place} nodes, but does not end there")
        state, multipliers = self.pending.pop()
        branching, changes = _read_node(self.instance, node, self.place)
        if len(multipliers) < self.evaluator.size:  # Cuts were added since; their multipliers begin at 0
            multipliers = np.pad(multipliers, (0, self.evaluator.size - len(multipliers)))
        if changes:
            multipliers = _changed(self.evaluator, multipliers, changes, self.place)
        if branching is not None:
            if not self.instance.splits(state, branching):
                raise CertificateError(f"node {self.place} is split by what is already decided")
            children = [child for child in self.instance.children(state, branching) if child is not None]
            # A stack: the first child is entered next
            self.pending += [(child, multipliers) for child in reversed(children)]
            # States of waiting nodes are copies; a malicious tree could be very deep
            if len(self.pending) * (3 * self.instance.n + self.instance.m) > MAX_ENTRIES:
                raise CertificateError(f"node {self.place}: the tree is too deep")
        self.place += 1
        return state, multipliers, branching


def _read_node(instance: Instance, node: Any, place: int) -> tuple[Branching | None, list[int]]:
    """Branching of a node (`None` for a leaf) and its changes."""
    values = integers(node, f"node {place}", -MAX_NUMBER, MAX_NUMBER)
    kind = integer(values[0] if values else None, f"node {place}: the kind", LEAF, HEAVY)
    if kind == LEAF:
        return None, values[1:]
    edge = kind in (USED, UNUSED)
    length = 2 if edge else 3
    if len(values) < length:
        raise CertificateError(f"node {place} is too short")
    subject = integer(values[1], f"node {place}: the subject", 0, (instance.m if edge else instance.n) - 1)
    return Branching(kind, subject, 0 if edge else values[2]), values[length:]


def _changed(evaluator: Evaluator, multipliers: Ints, changes: list[int], place: int) -> Ints:
    if len(changes) % 2 or not all(0 <= i < evaluator.size for i in changes[::2]):
        raise CertificateError(f"node {place}: changes are pairs of a multiplier's number and an integer")
    changed = multipliers.copy()
    for i, change in zip(changes[::2], changes[1::2], strict=True):
        total = int(changed[i]) + change
        if abs(total) > MAX_NUMBER:
            raise CertificateError(f"node {place}: a multiplier is too large")
        changed[i] = total
    # Inequalities are only valid with non-negative multipliers
    if (changed[evaluator.instance.m + 1 :] + evaluator.base_cuts < 0).any():
        raise CertificateError(f"node {place}: the multiplier of a cut is negative")
    return changed
