"""Lower bounds for sums over single edges: a tree of cases by edge, with dual multipliers of degrees and cuts.

Every solution chooses two edges at each vertex, one at a terminal; a path may end at `free_ends` other vertices, where
it has one edge and one *free end*. Add up the degrees with any multipliers `pi`, the number of free ends with any
multiplier `end`, and inequalities r that solutions satisfy (`cut_inequalities`) with multipliers `z_r >= 0`:

    value  >=  sum_v pi_v (degree of v)  +  end * (free ends)  +  sum_r z_r least_r
               +  sum over used edges of rest_e  +  sum over open edges of min(0, rest_e)
               +  sum over vertices that are no terminals of min(0, -pi_v - end - sum_r z_r [v in S_r]),

    rest_e  =  weight_e - pi_tail - pi_head - sum_r z_r a_re    (the reduced weight of e).

This is weak duality, for any numbers: what the multipliers take from the weights, the right-hand sides give back. A
case says which edges are used, unused and open; at the root those are the required ones, the forbidden ones, and all
others.

The certificate shows that no solution is below a claim. So whatever has no solution below it may be left out:

- a case whose bound reaches the claim is done;
- an open edge e is unused if the bound and rest_e together reach the claim, and used if the bound less rest_e does,
  because the bound of the case with e used, or unused, is at least that sum;
- an open edge splits a case in two, one with e used and one with e unused.

Data, integers throughout:

- `at_least`: the claim, as the cost that is minimised;
- `denominator` of all multipliers;
- `cuts`, as in `cut_inequalities.read_cuts`;
- `nodes`: the tree in preorder, the case with the edge used first. A node is `[0, ...]` for a leaf and
  `[1, edge, ...]` for an inner node, followed by `number, change, number, change, ...`: what changes of the multipliers
  that are in force at its parent. The vertices come first, then the free end, then the cuts.

A smaller claim leaves more out, so it is shown by the same tree.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from kt_models.errors import CertificateError
from kt_models.json_values import integer, integers
from kt_models.kernel.certificates.cut_inequalities import Cut, Inequality, inequality, read_cuts
from kt_models.kernel.certificates.integers import SUM_LIMIT, Ints, largest, require_fit
from kt_models.kernel.certificates.rounding import greatest_below
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem

LEAF, SPLIT = 0, 1
"""Kinds of nodes."""
MAX_NUMBER = 2**60
"""Largest absolute value of a number in a certificate."""
MAX_CUT_WORK = 2_000_000_000
"""Most vertices and edges that are compared with cuts: some seconds of work."""
MAX_ENTRIES = 50_000_000
"""Most edges of waiting cases, and of cuts."""


class Case(NamedTuple):
    """A case: its open edges and its used edges, in any order; all others are unused."""

    open: Ints
    used: Ints


class DualBound(NamedTuple):
    """A bound by multipliers in a case, and the reduced weight of each open edge, in units of 1 / denominator."""

    total: int
    rest: Ints


class EdgeProblem:
    """A problem whose objective is a sum over single edges, with the sides of its degree rows.

    Raises
    ------
    CertificateError
        If the weights are on pairs of edges, or the chosen edges need not be one cycle or path.
    """

    def __init__(self, problem: Problem) -> None:
        weights, graph = problem.weights, problem.graph
        if weights is None:
            raise CertificateError("a bound needs an objective")
        if problem.connectivity not in ("cycle", "path"):
            raise CertificateError("a tree of cases by edge is about one cycle or path")
        if graph.n < 3:
            raise CertificateError(f"a tree of cases needs at least 3 vertices; {graph.name} has {graph.n}")
        if (weights.first != weights.second).any():
            raise CertificateError("a tree of cases by edge needs weights of single edges")
        require_fit([largest(weights.weight) * max(1, len(weights.weight))], "weights")
        self.problem, self.n, self.m = problem, graph.n, graph.m
        self.tails, self.heads = graph.tails.astype(np.int64), graph.heads.astype(np.int64)
        self.weight = np.zeros(graph.m, dtype=np.int64)
        np.add.at(self.weight, weights.first, weights.weight)
        self.degree = np.full(graph.n, 2, dtype=np.int64)
        self.degree[list(problem.terminals)] = 1
        self.free_ends = problem.free_ends
        self.may_end = (self.degree == 2) & (problem.free_ends > 0)
        """Vertices at which a path may end but need not, shape (n,)."""

    def root(self) -> Case:
        """The case that has all solutions."""
        there = np.zeros(self.m, dtype=np.int8)
        there[list(self.problem.required)] = 1
        there[list(self.problem.forbidden)] = -1
        return Case(np.flatnonzero(there == 0), np.flatnonzero(there == 1))


class CutRows:
    """The inequalities of cuts, as far as they concern some edges.

    Parameters
    ----------
    edges
        The edges, sorted.
    cuts
        Cuts, from each of which a row is derived.

    Raises
    ------
    CertificateError
        If a cut does not hold for every solution, or there are too many.
    """

    def __init__(self, about: EdgeProblem, edges: Ints, cuts: list[Cut]) -> None:
        self._about = about
        self.place = np.full(about.m, -1, dtype=np.int64)
        self.place[edges] = np.arange(len(edges))
        """Place of each edge among the edges of the rows, shape (m,)."""
        self._size = len(edges)
        self._edge: list[Ints] = []
        self._sign: list[Ints] = []
        self._vertex: list[Ints] = []
        self.least: list[int] = []
        self.heaviest = 1
        self._entries = 0
        for cut in cuts:
            self.append(inequality(about.problem, cut))

    def append(self, row: Inequality) -> None:
        """Append the inequality of a cut.

        Raises
        ------
        CertificateError
            If there are too many.
        """
        place = self.place[row.edges]
        known = place >= 0
        self._edge.append(place[known])
        self._sign.append(row.signs[known])
        self._vertex.append(row.vertices.astype(np.int64))
        self.least.append(row.least)
        self.heaviest = max(self.heaviest, largest(row.signs))
        self._entries += int(known.sum()) + len(row.vertices)
        if self._entries > MAX_ENTRIES:
            raise CertificateError(f"{len(self.least):,} cuts: too many")

    def skip(self) -> None:
        """Append the row of a cut without a multiplier as nothing."""
        none = np.zeros(0, dtype=np.int64)
        self._edge.append(none)
        self._sign.append(none)
        self._vertex.append(none)
        self.least.append(0)

    def sums(self, z: Ints) -> tuple[Ints, Ints, int]:
        """Sums of multiples of the rows: at each edge, at each vertex for its free end, and of the right-hand sides."""
        at_edges, at_ends = np.zeros(self._size, dtype=np.int64), np.zeros(self._about.n, dtype=np.int64)
        right = 0
        for r in np.flatnonzero(z).tolist():
            # Edges and vertices of a row are distinct, so no entry is lost.
            at_edges[self._edge[r]] += z[r] * self._sign[r]
            np.add.at(at_ends, self._vertex[r], z[r])
            right += int(z[r]) * self.least[r]
        return at_edges, at_ends, right


def bound_of(about: EdgeProblem, rows: CutRows, case: Case, multipliers: Ints, denominator: int) -> DualBound:
    """The bound of multipliers in a case all of whose edges are among those of the rows.

    Raises
    ------
    CertificateError
        If the numbers are too large to be added up exactly.
    """
    n = about.n
    pi, end, z = multipliers[:n], int(multipliers[n]), multipliers[n + 1 :]
    cuts = sum(map(abs, z.tolist())) * rows.heaviest
    require_fit([denominator * largest(about.weight), 2 * largest(pi), abs(end), cuts], "multipliers")
    at_edges, at_ends, right = rows.sums(z)

    def rest(edges: Ints) -> Ints:
        weight = denominator * about.weight[edges]
        return weight - pi[about.tails[edges]] - pi[about.heads[edges]] - at_edges[rows.place[edges]]

    of_open = rest(case.open)
    total = right + end * about.free_ends + sum((pi.astype(object) * about.degree).tolist())
    total += sum(rest(case.used).tolist()) + sum(of_open[of_open < 0].tolist())
    if about.free_ends:
        at_vertices = (-pi - end - at_ends)[about.may_end]
        total += sum(at_vertices[at_vertices < 0].tolist())
    return DualBound(total, of_open)


def reduced(case: Case, dual: DualBound, beyond: int) -> Case:
    """The case without the solutions whose value, in units of 1 / denominator, is above `beyond`."""
    gap = beyond - dual.total  # A change of the bound by more than this excludes the solutions.
    if gap < 0 or gap >= SUM_LIMIT:
        return case
    unused, used = dual.rest > gap, dual.rest < -gap
    return Case(case.open[~(unused | used)], np.concatenate([case.used, case.open[used]]))


def split(case: Case, edge: int) -> tuple[Case | None, Case | None]:
    """The cases with an edge used and with it unused; None for a case that contradicts itself."""
    if (case.open == edge).any():
        left = case.open[case.open != edge]
        return Case(left, np.append(case.used, edge)), Case(left, case.used)
    return (case, None) if (case.used == edge).any() else (None, case)


def bound(problem: Problem, data: dict[str, Any], limits: Limits = NO_LIMITS) -> int:
    """The claim of a certificate, if its tree shows it for every solution of a problem.

    Raises
    ------
    CertificateError
        If the data is malformed, omits a part of the tree, or does not show the claim.
    Stopped
        If a limit is reached.
    """
    about = EdgeProblem(problem)
    at_least = integer(data.get("at_least"), "at_least", -MAX_NUMBER, MAX_NUMBER)
    denominator = integer(data.get("denominator", 1), "denominator", 1, MAX_NUMBER)
    cuts = read_cuts(problem, data.get("cuts", []))
    if len(cuts) * (about.n + about.m) > MAX_CUT_WORK:
        raise CertificateError(f"{len(cuts):,} cuts: too many for a graph of {about.m:,} edges")
    nodes = data.get("nodes")
    if type(nodes) is not list:
        raise CertificateError("'nodes' is not a list")
    beyond = greatest_below(problem, at_least) * denominator
    size = about.n + 1 + len(cuts)
    root = about.root()
    everything = np.sort(np.concatenate([root.open, root.used]))
    rows = CutRows(about, everything, [])
    # Waiting cases, the next one last, with the multipliers in force; None for a case that contradicts itself.
    pending: list[tuple[Case | None, Ints]] = [(root, np.zeros(size, dtype=np.int64))]
    for place, node in enumerate(nodes):
        limits.check()
        if not pending:
            raise CertificateError(f"the tree is complete after {place} nodes, but does not end there")
        case, multipliers = pending.pop()
        edge, changes = read_node(about, node, place)
        multipliers = changed(multipliers, changes, about.n + 1, place)
        if place == 0:
            rows = _rows_at_root(about, everything, cuts, multipliers)
        if case is not None:
            dual = bound_of(about, rows, case, multipliers, denominator)
            if dual.total > beyond:
                case = None
            elif edge is None:
                raise CertificateError(f"node {place}: the multipliers come to {dual.total}, not above {beyond}")
            else:
                case = reduced(case, dual, beyond)
                if place == 0:
                    rows = CutRows(about, np.sort(np.concatenate(case)), cuts)
        if edge is not None:
            cases = (None, None) if case is None else split(case, edge)
            pending += [(child, multipliers) for child in reversed(cases)]
            if len(pending) * (size + (0 if case is None else len(case.open) + len(case.used))) > MAX_ENTRIES:
                raise CertificateError(f"node {place}: the tree is too deep")
    if pending:
        raise CertificateError(f"the tree breaks off after {len(nodes)} nodes")
    return at_least


def _rows_at_root(about: EdgeProblem, edges: Ints, cuts: list[Cut], multipliers: Ints) -> CutRows:
    """The rows for all edges; those without a multiplier at the root are not spelt out, as they may be long."""
    z = multipliers[about.n + 1 :]
    rows = CutRows(about, edges, [])
    for cut, multiplier in zip(cuts, z.tolist(), strict=True):
        if multiplier:
            rows.append(inequality(about.problem, cut))
        else:
            rows.skip()
    return rows


def read_node(about: EdgeProblem, node: Any, place: int) -> tuple[int | None, list[int]]:
    """The edge that splits a node (None for a leaf), and its changes."""
    values = integers(node, f"node {place}", -MAX_NUMBER, MAX_NUMBER)
    kind = integer(values[0] if values else None, f"node {place}: the kind", LEAF, SPLIT)
    if kind == LEAF:
        return None, values[1:]
    return integer(values[1] if len(values) > 1 else None, f"node {place}: the edge", 0, about.m - 1), values[2:]


def changed(multipliers: Ints, changes: list[int], first_cut: int, place: int = 0) -> Ints:
    """Multipliers after some changes.

    Raises
    ------
    CertificateError
        If the changes are malformed, or the multiplier of an inequality becomes negative.
    """
    if len(changes) % 2 or not all(0 <= i < len(multipliers) for i in changes[::2]):
        raise CertificateError(f"node {place}: changes are pairs of a multiplier's number and an integer")
    after = multipliers.copy()
    for i, change in zip(changes[::2], changes[1::2], strict=True):
        total = int(after[i]) + change
        if abs(total) > MAX_NUMBER:
            raise CertificateError(f"node {place}: a multiplier is too large")
        after[i] = total
    # Inequalities hold only with multipliers of at least 0.
    if (after[first_cut:] < 0).any():
        raise CertificateError(f"node {place}: the multiplier of a cut is negative")
    return after
