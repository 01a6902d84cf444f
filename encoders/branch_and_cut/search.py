"""Branch and cut: the least sum over single edges, with a certificate that grows along.

At the root the linear program is solved over the edges to near vertices. Violated rows are added, and then edges of
negative reduced weight, until there are none of either; the reduced weights are exact integers. Edges whose reduced
weight exceeds the gap to the best tour are left out for good (`kt_models.kernel.certificates.edge_tree`). The rest is
split by edges, the case with the least bound first. All that a case rests on is what the checker computes from the same
multipliers, so the tree is a certificate at any time: of the least bound of its leaves.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from encoders.branch_and_cut.program import EdgeProgram
from encoders.branch_and_cut.separation import separate
from encoders.lp.duals import pairs
from encoders.lp.minimum_cuts import TOLERANCE
from encoders.lp.program import Floats
from kt_models.board import IntArray
from kt_models.errors import KTError
from kt_models.kernel.certificates.cut_inequalities import Cut, inequality
from kt_models.kernel.certificates.edge_tree import (
    LEAF,
    SPLIT,
    Case,
    CutRows,
    DualBound,
    EdgeProblem,
    bound_of,
    reduced,
    split,
)
from kt_models.kernel.certificates.integers import SUM_LIMIT, Ints, largest
from kt_models.kernel.certificates.rounding import value_step
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem, verify_edges

NEAREST = 6
"""Edges of least weight at each vertex that are columns from the start."""
MAX_ADDED = 5
"""Most edges that are priced in at once, as a multiple of the vertices."""
MAX_ROUNDS = 8
"""Rounds of added rows in a case below the root."""
FIRST_ROUNDS, ROUNDS_PER_TURN = 3, 10
"""Rounds of added rows after which the root is left with the bound so far, in the first turn and in later ones."""
LEAST_GAIN = 0.02
"""Share of the gap to the best tour that some rounds of rows have to gain; otherwise the case is split."""
ROUNDS_IN_VAIN = 3
"""Rounds in a row that may gain less."""
CANDIDATES, LOOK_AHEAD, RELIABLE = 10, 60, 4
"""Most edges on which a split is tried, steps of the simplex method for each trial, and trials of an edge after which
its mean gains are taken instead."""


@dataclass(eq=False)
class CaseNode:
    """A node of the tree: a leaf until it is split.

    Parameters
    ----------
    case
        The case as it is entered; the node's own multipliers reduce it further.
    multipliers
        Those of the node; until it was worked on, those of its parent.
    total
        The bound that these show, in units of 1 / denominator.
    """

    case: Case | None
    multipliers: Ints
    total: int
    edge: int | None = None
    children: tuple[CaseNode, ...] = ()
    basis: Any = None
    """The basis that the linear program starts from."""


class Trial(NamedTuple):
    """The gains of the two cases of a split."""

    used: float
    unused: float


@dataclass
class _Gains:
    sums: dict[int, list[float]] = field(default_factory=dict)

    def add(self, edge: int, trial: Trial) -> None:
        row = self.sums.setdefault(edge, [0.0, 0.0, 0.0])
        row[0] += 1
        row[1] += trial.used
        row[2] += trial.unused

    def mean(self, edge: int) -> Trial | None:
        row = self.sums.get(edge)
        return None if row is None or row[0] < RELIABLE else Trial(row[1] / row[0], row[2] / row[0])


class BranchAndCut:
    """The tree, and the best tour that is known.

    Parameters
    ----------
    problem
        A problem whose objective is a sum over single edges.
    edges, value
        The best solution that is known, and its cost; without one, nothing is aimed at.

    Raises
    ------
    CertificateError
        If the problem is of another kind, or its weights are too large.
    """

    def __init__(self, problem: Problem, edges: IntArray | None = None, value: int | None = None) -> None:
        self.problem, self.about = problem, EdgeProblem(problem)
        about = self.about
        if value is None:  # Above every sum along a tour.
            value = about.n * (largest(about.weight) + 1)
        self.edges, self.value = edges, value
        self.step = value_step(problem)
        """The objective has only multiples of this."""
        # Rounding of the multipliers changes the bound by less than a quarter.
        self.denominator = 1 << (8 * about.n).bit_length()
        while self.denominator > 1 and self.denominator * max(1, largest(about.weight)) * 64 > SUM_LIMIT:
            self.denominator //= 2
        self.limits = NO_LIMITS
        # The value alone may be 0, where weights above and below 0 cancel out.
        size = value if edges is None else int(np.abs(about.weight[np.asarray(edges, dtype=np.int64)]).sum())
        self.program = EdgeProgram(about, max(size, largest(about.weight)))
        root = about.root()
        everything = np.sort(np.concatenate(root))
        self.rows = CutRows(about, everything, [])
        self.root = CaseNode(root, np.zeros(about.n + 1, dtype=np.int64), -(2**62))
        self.open: list[tuple[int, int, CaseNode]] = [(self.root.total, 0, self.root)]
        self.stuck: list[CaseNode] = []
        """Leaves that are whole but not shown, because the numbers of the solver are not fine enough."""
        self.worked = 0
        """Number of nodes that were worked on."""
        self._unfinished = False
        """Whether more rows are to be sought at the root."""
        self._foreign = False
        """Whether the program's solution keeps all its rules, and those of the problem it does not: open tours of
        directed graphs have a rule more. Splits would then list all solutions."""
        self._pushed = 0
        """Number of nodes that were pushed on the heap; older ones come first among those of one bound."""
        self.gains = _Gains()
        self.program.add_edges(self._first_edges(root))

    def _first_edges(self, root: Case) -> Ints:
        """The edges of least weight at each vertex, those of the tour, and required ones."""
        about = self.about
        order = root.open[np.argsort(about.weight[root.open], kind="stable")]
        chosen = [root.used]
        if self.edges is not None:
            chosen.append(np.intersect1d(np.asarray(self.edges, dtype=np.int64), root.open))
        for ends in (about.tails[order], about.heads[order]):
            by_vertex = np.argsort(ends, kind="stable")
            start = np.searchsorted(ends[by_vertex], np.arange(about.n))
            rank = np.arange(len(order)) - start[ends[by_vertex]]
            chosen.append(order[by_vertex[rank < NEAREST]])
        return np.unique(np.concatenate(chosen))

    # -- what is known ---------------------------------------------------------------------------------------------

    @property
    def below(self) -> int:
        """The greatest value below that of the best tour which the objective can have."""
        return (-(-self.value // self.step) - 1) * self.step

    @property
    def beyond(self) -> int:
        """The number that the bound of a case has to exceed, in units of 1 / denominator."""
        return self.below * self.denominator

    @property
    def done(self) -> bool:
        """Whether no case is left."""
        return not self.open and not self.stuck

    @property
    def bound(self) -> int | None:
        """The least value that a solution can have; None before the root."""
        totals = [total for total, _, _ in self.open[:1]] + [node.total for node in self.stuck]
        if not totals:
            return self.value if self.edges is not None else None
        least = min(totals)
        if least <= -(2**62):
            return None
        return min(self.value, -(-least // (self.denominator * self.step)) * self.step)

    @property
    def branched(self) -> bool:
        """Whether the root is done with."""
        return self.root.edge is not None

    def aim(self, edges: IntArray, value: int) -> None:
        """Take over a better solution."""
        if value < self.value:
            self.edges, self.value = edges, value

    def data(self) -> dict[str, Any] | None:
        """The data of a certificate of the bound; None before the root."""
        at_least = self.bound
        if at_least is None:
            return None
        beyond = (-(-at_least // self.step) - 1) * self.step * self.denominator
        size = self.about.n + 1 + len(self.program.cuts)
        nodes: list[list[int]] = []
        waiting = [(self.root, np.zeros(size, dtype=np.int64))]
        while waiting:
            node, before = waiting.pop()
            multipliers = np.pad(node.multipliers, (0, size - len(node.multipliers)))
            changes = pairs(before, multipliers).reshape(-1).tolist()
            if node.edge is None or node.total > beyond:
                nodes.append([LEAF, *changes])
                continue
            nodes.append([SPLIT, node.edge, *changes])
            waiting += [(child, multipliers) for child in reversed(node.children)]
        return _without_idle(self.about.n + 1, self.program.cuts, nodes, self.denominator, at_least)

    # -- growth ----------------------------------------------------------------------------------------------------

    def grow(self, limits: Limits = NO_LIMITS, nodes: int | None = None) -> bool:
        """Work on further nodes, until none is left, the limits are reached, or enough were worked on.

        Returns
        -------
        bool
            Whether no case is left to work on.
        """
        self.limits = self.program.limits = limits
        count = 0
        while self.open and not limits.over and (nodes is None or count < nodes):
            total, _, node = heapq.heappop(self.open)
            if node.case is None or total > self.beyond:
                continue
            if not self.work(node):
                self._push(node)
                return False
            count += 1
        return not self.open

    def _push(self, node: CaseNode) -> None:
        self._pushed += 1
        heapq.heappush(self.open, (node.total, self._pushed, node))

    def work(self, node: CaseNode) -> bool:
        """Bound a case, and split it unless it is done; False if time is up."""
        self.worked += 1
        program = self.program
        case = node.case
        assert case is not None
        if node is not self.root:
            case = reduced(case, self._dual(case, node.multipliers), self.beyond)
        program.load(case)
        if node.basis is not None:
            program.start_from(node.basis)
        dual = self.bounded(node, case)
        if dual is None:
            if not self.limits.over:  # The numbers of the solver are not fine enough.
                self.stuck.append(node)
            return not self.limits.over
        if node.total > self.beyond:
            return True
        if self._unfinished:
            self._push(node)
            return True
        if self._foreign:
            self.stuck.append(node)
            return True
        case = reduced(case, dual, self.beyond)
        if node is self.root:
            # Below the root, nothing but what is left there matters.
            everything = np.sort(np.concatenate(case))
            self.rows = CutRows(self.about, everything, self.program.cuts)
            if len(everything) <= 4 * MAX_ADDED * self.about.n:
                program.add_edges(everything)
                program.load(case)
                if program.solve() is None and self.limits.over:
                    return False
        edge = self.choose(case)
        if edge is None:
            if self.limits.over:
                return False
            self.stuck.append(node)
            return True
        basis = program.program.basis
        node.edge = edge
        node.children = tuple(CaseNode(child, node.multipliers, node.total, basis=basis) for child in split(case, edge))
        for child in node.children:
            self._push(child)
        return True

    def _dual(self, case: Case, multipliers: Ints) -> DualBound:
        size = self.about.n + 1 + len(self.rows.least)
        whole = np.pad(multipliers, (0, size - len(multipliers)))
        return bound_of(self.about, self.rows, case, whole, self.denominator)

    def bounded(self, node: CaseNode, case: Case) -> DualBound | None:
        """Solve the linear program of a case with rows and edges as they are needed; None if time is up."""
        program, at_root = self.program, node is self.root
        most = MAX_ROUNDS if not at_root else ROUNDS_PER_TURN if self.worked > 1 else FIRST_ROUNDS
        value = program.solve()
        in_vain, rounds, before = 0, 0, 0.0 if value is None else value
        best: DualBound | None = None
        while value is not None:
            cuts: list[Cut] = []
            shares, ending = program.shares()
            whole = bool((np.abs(shares - np.rint(shares)) < TOLERANCE).all())
            separated = value < self.below + 0.5 and (rounds < most or whole)
            if separated:
                cuts = separate(self.problem, program.edges, shares, ending)
                # Where no row is new, the numbers of the solver are not fine enough for those that are there.
                useful = whole or in_vain < (10 if at_root else ROUNDS_IN_VAIN)
                if cuts and useful and self.add(cuts):
                    rounds += 1
                    if at_root and rounds % 5 == 0:
                        program.purge()
                    value = program.solve()
                    if value is None:
                        return None
                    gap = max(1.0, self.value - value)
                    in_vain = in_vain + 1 if value - before < (LEAST_GAIN / 10 if at_root else LEAST_GAIN) * gap else 0
                    before = value
                    continue
            # No row is violated, or rows do not help any more: the exact bound, and the edges that it needs.
            multipliers = program.multipliers(self.denominator)
            dual = self._dual(case, multipliers)
            if dual.total > node.total or best is None:
                if dual.total > node.total:
                    node.total, node.multipliers = dual.total, multipliers
                best = dual
            if dual.total > self.beyond:
                return dual
            missing = case.open[(dual.rest < 0) & (program.column[case.open] < 0)]
            if len(missing):
                rest = dual.rest[(dual.rest < 0) & (program.column[case.open] < 0)]
                program.add_edges(missing[np.argsort(rest, kind="stable")[: MAX_ADDED * self.about.n]])
                program.load(case)
                in_vain = 0
                value = program.solve()
                before = value if value is not None else 0.0
                continue
            if not cuts and self.accept(shares):
                continue
            self._unfinished = at_root and rounds >= most
            # Without a look for violated rows, nothing says that the solution keeps them.
            self._foreign = self._foreign and separated and not cuts
            return dual
        return None

    def add(self, cuts: list[Cut]) -> bool:
        """Add rows to the program and to the exact bound, unless they are there; whether one was added."""
        there = set(self.program.present)
        new = [cut for cut in cuts if cut not in there]
        for cut in new:
            row = inequality(self.problem, cut)
            if self.program.add_cut(cut, row):
                self.rows.append(row)
        return bool(new)

    def accept(self, shares: Floats) -> bool:
        """Keep the solution of the linear program if it is a better tour."""
        self._foreign = False
        if (np.abs(shares - np.rint(shares)) > TOLERANCE).any():
            return False
        edges = self.program.edges[shares > 0.5].astype(np.int32)
        try:
            verify_edges(self.problem, edges)
        except KTError:
            self._foreign = True
            return False
        value = self.problem.cost(edges)
        assert value is not None
        if value >= self.value:
            return False
        self.edges, self.value = edges, value
        return True

    # -- the choice of a split -------------------------------------------------------------------------------------

    def choose(self, case: Case) -> int | None:
        """The edge whose two cases gain most; None if there is none, or time is up."""
        program = self.program
        value = program.program.value * program.scale
        shares, _ = program.shares()
        is_open = np.zeros(self.about.m, dtype=np.bool_)
        is_open[case.open] = True
        free = is_open[program.edges]
        distance = np.minimum(shares, 1 - shares)
        fractional = np.flatnonzero(free & (distance > TOLERANCE))
        if not len(fractional):
            # The bound is not fine enough, or the solution is not that of this case: any open edge.
            there = np.flatnonzero(free & (shares > 0.5))
            return int(program.edges[there[0]]) if len(there) else None
        score = distance[fractional] * (1 + self.about.weight[program.edges[fractional]] / program.scale)
        order = fractional[np.argsort(-score, kind="stable")][:CANDIDATES]
        basis = program.program.basis
        wanted = self.below + 0.5 - value
        best, best_score = None, -1.0
        for place in order.tolist():
            edge = int(program.edges[place])
            trial = self.gains.mean(edge)
            if trial is None:
                found: list[float] = []
                for used in (True, False):
                    program.load(case)
                    program.start_from(basis)
                    program.fix(edge, used)
                    reached = program.solve(LOOK_AHEAD)
                    if reached is None:
                        return None
                    found.append(max(0.0, reached - value))
                trial = Trial(*found)
                self.gains.add(edge, trial)
            least = 1e-6 * wanted
            product = max(min(trial.used, wanted), least) * max(min(trial.unused, wanted), least)
            if product > best_score:
                best, best_score = edge, product
        program.load(case)
        program.start_from(basis)
        return best


def _without_idle(
    first: int, cuts: list[Cut], nodes: list[list[int]], denominator: int, at_least: int
) -> dict[str, Any]:
    """The data without the cuts that have no multiplier; the others are renumbered from `first`."""
    begin = {LEAF: 1, SPLIT: 2}
    used = sorted({i for node in nodes for i in node[begin[node[0]] :: 2] if i >= first})
    number = {i: first + k for k, i in enumerate(used)}
    for node in nodes:
        for place in range(begin[node[0]], len(node), 2):
            node[place] = number.get(node[place], node[place])
    return {
        "at_least": at_least,
        "denominator": denominator,
        "cuts": [[list(cuts[i - first].vertices), list(cuts[i - first].teeth)] for i in used],
        "nodes": nodes,
    }
