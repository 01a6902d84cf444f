"""Lower bounds shown by a branch and bound tree whose leaves carry dual multipliers, walked once in exact integers.

The problem is cut up by vertex.  An *option* of a vertex is what a solution may do there: use two of its edges, or
one where a path ends.  If all weights are on pairs of edges that meet (turns are), a solution is a choice of one option
per vertex such that both ends of every edge agree whether it is used, and its value is the sum of what the options
weigh.  Let go of the agreement, and of any other linear inequality that solutions satisfy, for a price:

    value  >=  sum_r z_r rhs_r  +  sum_v  min over the options o allowed at v of  (weight(o) + price of o),

where the price of using edge e is `y_e` at its tail and `-y_e - sum_r z_r a_re` at its head, for any integers `y` and
any `z_r >= 0`, rows r being inequalities `sum_e a_re x_e + (free ends in S_r) >= rhs_r` (weak duality; a free end is
one that is not a given terminal).  Two families of rows are known here, so that data can name them but cannot invent
them.  For S a set of vertices with k terminals, neither empty nor everything, and d(S) the edges leaving it:

- cut-set, connected solutions: `x(d(S)) + free ends in S >= 2 - k`;
- blossom, T a subset of d(S), |T| + k odd: `x(d(S) - T) - x(T) + free ends in S >= 1 - |T|`, for `x(d(S))` and the
  number of ends in S have the same parity (Edmonds 1965).

Restricting the options of some vertices only makes the minima larger: the same multipliers bound every subtree.  A
tree therefore changes them a little from node to node, and a leaf is closed by the multipliers in force, or by
propagation alone: a vertex without an option, a cycle closed too early.  Options, propagation and how a node is split
are told in `branching_nodes`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_models.bounds.branching_nodes import HEAVY, LEAF, UNUSED, USED, Branching, Instance, State
from kt_models.bounds.relaxation import lifted
from kt_models.errors import CertificateError, TooLarge
from kt_models.problem import Problem

MAX_MULTIPLIER = 2**31
MAX_ENTRIES = 20_000_000
"""Most coefficients of rows, and most entries of nodes that wait for their turn."""

IntArray64 = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Row:
    """A cut-set (no `teeth`) or a blossom: `vertices` is S, `teeth` is T."""

    vertices: tuple[int, ...]
    teeth: tuple[int, ...] = ()


class Evaluator:
    """The bound that multipliers give at a node, in exact integers.

    Multipliers are one integer array: `y` of every edge, the price of a free path end, and `z` of every row; all are
    in units of 1 / `denominator`.

    Raises
    ------
    CertificateError
        If a row is not of the two families.
    """

    def __init__(self, instance: Instance, rows: list[Row], denominator: int) -> None:
        self.instance, self.denominator = instance, denominator
        n, m = instance.n, instance.m
        self.coefficients = np.zeros((0, m), dtype=np.int64)
        self.inside = np.zeros((0, n), dtype=np.int64)
        self.right = np.zeros(0, dtype=np.int64)
        width = max(len(options) for options in instance.edges_of_option)
        self.bytes_wide = (width + 7) // 8
        self.first = np.full((n, 8 * self.bytes_wide), 2 * m, dtype=np.int64)  # places in the array of prices
        self.second = self.first.copy()
        self.weight = np.zeros(self.first.shape, dtype=np.int64)
        self.is_end = np.zeros(self.first.shape, dtype=np.int64)
        largest = 0
        for v, options in enumerate(instance.edges_of_option):
            for i, option in enumerate(options):
                places = [e if instance.ends[e][0] == v else m + e for e in option] + [2 * m]
                self.first[v, i], self.second[v, i] = places[:2]
                own = sum(instance.alone[e] for e in option if instance.ends[e][0] == v)
                weight = instance.pair_weight[v][i] + own
                largest = max(largest, abs(weight))
                if largest < 2**40:
                    self.weight[v, i] = weight
                self.is_end[v, i] = len(option) == 1
        self.free = np.array(instance.counts_as_free, dtype=np.int64)
        self.largest = largest
        self.append(rows)

    @property
    def size(self) -> int:
        """The number of multipliers."""
        return self.instance.m + 1 + len(self.right)

    def append(self, rows: list[Row]) -> None:
        """Take more rows."""
        n, m, count = self.instance.n, self.instance.m, len(self.right) + len(rows)
        if count * (n + m) > MAX_ENTRIES:
            raise CertificateError(f"{count:,} rows: too many")
        if (self.largest * self.denominator + (4 * count + 8) * MAX_MULTIPLIER) * (n + count + m + 2) * 4 >= 2**61:
            raise CertificateError("weights, denominator and number of rows are together too large for exact integers")
        ends = np.array(self.instance.ends, dtype=np.int64).reshape(-1, 2)
        coefficients, inside = np.zeros((len(rows), m), dtype=np.int64), np.zeros((len(rows), n), dtype=np.int64)
        right = [self._read(row, ends, coefficients[r], inside[r]) for r, row in enumerate(rows)]
        self.coefficients = np.concatenate([self.coefficients, coefficients])
        self.inside = np.concatenate([self.inside, inside])
        self.right = np.concatenate([self.right, np.array(right, dtype=np.int64)])

    def _read(self, row: Row, ends: IntArray64, coefficients: IntArray64, inside: IntArray64) -> int:
        """Fill in the coefficients of a row, by edge and by free end; its right hand side."""
        if not self.instance.connected and not row.teeth:
            raise CertificateError("a cut-set where connectedness is not asked for")
        if not 0 < len(set(row.vertices)) == len(row.vertices) < self.instance.n:
            raise CertificateError("the vertices of a row are none, all, or not distinct")
        inside[list(row.vertices)] = 1
        terminals = int(inside[list(self.instance.problem.terminals)].sum())
        leaving = inside[ends[:, 0]] != inside[ends[:, 1]]
        inside *= self.free
        coefficients[leaving] = 1
        if not row.teeth:
            return 2 - terminals
        teeth = list(row.teeth)
        if len(set(teeth)) < len(teeth) or not leaving[teeth].all():
            raise CertificateError("the teeth of a blossom are not distinct edges that leave it")
        if (len(teeth) + terminals) % 2 == 0:
            raise CertificateError("the teeth and terminals of a blossom are an even number")
        coefficients[teeth] = -1
        return 1 - len(teeth)

    def costs(self, multipliers: IntArray64) -> IntArray64:
        """Weight and price of every option, shape (n, width)."""
        m = self.instance.m
        y, end, z = multipliers[:m], int(multipliers[m]), multipliers[m + 1 :]
        prices = np.concatenate([y, -y - z @ self.coefficients, [0]])
        at_end = end * self.free - z @ self.inside
        return self.denominator * self.weight + prices[self.first] + prices[self.second] + self.is_end * at_end[:, None]

    def constant(self, multipliers: IntArray64) -> int:
        """What the bound has beside the minima."""
        m = self.instance.m
        return int(multipliers[m + 1 :] @ self.right) - int(multipliers[m]) * self.instance.free_ends

    def allowed(self, state: State) -> npt.NDArray[np.bool_]:
        """The options of a node as an array, shape (n, width)."""
        packed = b"".join([mask.to_bytes(self.bytes_wide, "little") for mask in state.options])
        bits = np.unpackbits(np.frombuffer(packed, dtype=np.uint8), bitorder="little")
        return bits.reshape(self.first.shape).astype(bool)

    def bound(self, state: State, multipliers: IntArray64, costs: IntArray64 | None = None) -> int:
        """The bound at a node, in units of 1 / denominator."""
        if costs is None:
            costs = self.costs(multipliers)
        minima = np.where(self.allowed(state), costs, 2**61).min(axis=1)
        return self.constant(multipliers) + sum(minima.tolist())


# -- reading a certificate ----------------------------------------------------------------------------------------


def bound(problem: Problem, data: dict[str, Any]) -> int:
    """The greatest integer bound that the data of a certificate shows for every solution of a problem.

    Parameters
    ----------
    data
        `denominator`; `rows`, each `[vertices, teeth]`; `nodes`, the tree in preorder, the first child before
        the second, children without a solution left out.  A node is a list of integers: `0` for a leaf; `1, edge` or
        `2, edge` for USED or UNUSED; `3, vertex, t` or `4, vertex, t` for LIGHT or HEAVY; then pairs `index, change`
        that change the multipliers in force (all 0 above the root) for this node and all below it.  Multipliers are
        numbered: edges, the free end, rows.

    Raises
    ------
    CertificateError
        If the data makes no sense, leaves out a part of the tree, or does not apply to that problem.
    """
    try:
        instance = Instance(problem)
    except TooLarge as error:
        raise CertificateError(str(error)) from None
    evaluator = Evaluator(
        instance, read_rows(instance, data.get("rows", [])), _integer(data.get("denominator"), 1, 10**9, "denominator")
    )
    nodes = data.get("nodes")
    if type(nodes) is not list:
        raise CertificateError("'nodes' is missing or is not a list")
    walk = Walk(instance, evaluator)
    least: int | None = None
    for node in nodes:
        state, multipliers, branching = walk.step(node)
        if branching is None:
            value = evaluator.bound(state, multipliers)
            least = value if least is None else min(least, value)
    if walk.pending:
        raise CertificateError(f"the tree breaks off after {len(nodes)} nodes")
    if least is None:
        raise CertificateError("the tree shows that there is no solution at all, which is not a bound")
    return lifted(problem, least, evaluator.denominator)


class Walk:
    """A walk through a tree in preorder: each step takes a node as the certificate has it, and checks that it fits.

    `pending` are the nodes still to be entered, the next one last, with the multipliers in force there.
    """

    def __init__(self, instance: Instance, evaluator: Evaluator) -> None:
        self.instance, self.evaluator, self.place = instance, evaluator, 0
        root = instance.root()
        self.pending = [] if root is None else [(root, np.zeros(evaluator.size, dtype=np.int64))]

    def step(self, node: Any) -> tuple[State, IntArray64, Branching | None]:
        """Enter the next node: its state, its multipliers, and its branching (None at a leaf).

        Raises
        ------
        CertificateError
            If there is no next node, or this cannot be it.
        """
        if not self.pending:
            raise CertificateError(f"the tree is complete after {self.place} nodes, but does not end there")
        state, multipliers = self.pending.pop()
        branching, changes = _node(self.instance, node, self.place)
        if len(multipliers) < self.evaluator.size:  # rows were added since
            multipliers = np.pad(multipliers, (0, self.evaluator.size - len(multipliers)))
        if changes:
            multipliers = _changed(self.evaluator, multipliers, changes, self.place)
        if branching is not None:
            if not self.instance.splits(state, branching):
                raise CertificateError(f"node {self.place} is split by what is already decided")
            children = [child for child in self.instance.children(state, branching) if child is not None]
            self.pending += [(child, multipliers) for child in reversed(children)]
            if len(self.pending) * (3 * self.instance.n + self.instance.m) > MAX_ENTRIES:
                raise CertificateError(f"node {self.place}: the tree is too deep")
        self.place += 1
        return state, multipliers, branching


def _integer(value: Any, low: int, high: int, what: str) -> int:
    if type(value) is not int or not low <= value <= high:
        raise CertificateError(f"{what} is {str(value)[:40] if type(value) is not int else 'out of range'}")
    return value


def _integers(values: Any, below: int, what: str) -> tuple[int, ...]:
    if type(values) is not list or not all(type(v) is int and 0 <= v < below for v in values):
        raise CertificateError(f"{what} is not a list of numbers below {below}")
    return tuple(values)


def read_rows(instance: Instance, rows: Any) -> list[Row]:
    """The rows of a certificate, `[vertices, teeth]` each."""
    if type(rows) is not list or not all(type(row) is list and len(row) == 2 for row in rows):
        raise CertificateError("'rows' is not a list of [vertices, teeth]")
    return [
        Row(_integers(vertices, instance.n, "a row's vertices"), _integers(teeth, instance.m, "a row's teeth"))
        for vertices, teeth in rows
    ]


def _node(instance: Instance, node: Any, place: int) -> tuple[Branching | None, list[int]]:
    """The branching of a node (None for a leaf) and its changes."""
    if type(node) is not list or not node or not all(type(i) is int for i in node):
        raise CertificateError(f"node {place} is not a list of integers")
    kind = _integer(node[0], LEAF, HEAVY, f"node {place}: the kind")
    if kind == LEAF:
        return None, node[1:]
    length = 2 if kind in (USED, UNUSED) else 3
    if len(node) < length:
        raise CertificateError(f"node {place} is too short")
    subjects = instance.m if kind in (USED, UNUSED) else instance.n
    subject = _integer(node[1], 0, subjects - 1, f"node {place}: the subject")
    return Branching(kind, subject, node[2] if length == 3 else 0), node[length:]


def _changed(evaluator: Evaluator, multipliers: IntArray64, changes: list[int], place: int) -> IntArray64:
    if len(changes) % 2 or not all(0 <= i < evaluator.size for i in changes[::2]):
        raise CertificateError(f"node {place}: changes are pairs of a multiplier's number and an integer")
    if not all(-MAX_MULTIPLIER <= d <= MAX_MULTIPLIER for d in changes[1::2]):
        raise CertificateError(f"node {place}: a change is too large")
    changed = multipliers.copy()
    np.add.at(changed, np.array(changes[::2]), np.array(changes[1::2]))
    if np.abs(changed).max() > MAX_MULTIPLIER or (changed[evaluator.instance.m + 1 :] < 0).any():
        raise CertificateError(f"node {place}: a row's multiplier is negative, or a multiplier is too large")
    return changed
