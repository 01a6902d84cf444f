"""Optima proved by branch and bound, with a certificate that can be checked without a solver.

The tree is grown in preorder. At each node the linear program of `encoders.lp.node` is solved, and violated rows are
added while that helps. If its dual solution, as integers, proves the claimed bound, the node is a leaf. Otherwise the
node is split by a property. The best property is the one whose two children get the best bounds after some steps of the
dual simplex method (strong branching), or are expected to from what such steps have gained before
(`encoders.lp.pseudocosts`). `kt_models.kernel.certificates.tree` explains the bound and the tree, and checks them. Its
walk accompanies the growth, so only what it accepts is written.

`encoders.lp.compact` makes the finished tree small.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from encoders.lp.compact import changes_of, compact
from encoders.lp.duals import DENOMINATORS, TOLERANCE
from encoders.lp.node import NodeProgram
from encoders.lp.program import Floats
from encoders.lp.pseudocosts import PseudoCosts
from encoders.lp.separation import separate
from encoders.work.state import read_state, write_state
from kt_models.board import IntArray
from kt_models.errors import CertificateError, KTError
from kt_models.kernel.certificates.cut_inequalities import Cut, Inequality, read_cuts
from kt_models.kernel.certificates.integers import Ints
from kt_models.kernel.certificates.nodes import HEAVY, LEAF, LIGHT, NOTHING, USED, Branching, Instance, State
from kt_models.kernel.certificates.rounding import greatest_below
from kt_models.kernel.certificates.tree import MAX_NUMBER, Evaluator, Preorder
from kt_models.limits import NO_LIMITS, Limits, Listener, Report, silent
from kt_models.problem import Problem, verify_edges

MAX_ROUNDS = 6
"""Rounds of added rows at a node while its solution is fractional: more of them raise its bound, and take longer."""
SAVE_SECONDS = 20.0
"""Seconds between two writings of the state: what is lost at most if the process is killed."""


class Care(NamedTuple):
    """The effort at a node before it is split.

    Attributes
    ----------
    candidates
        Most properties tried at a node.
    in_vain
        Number of properties in a row without an improvement after which no more are tried.
    reliable
        Number of trials after which a property is not tried again, because its pseudo-costs are reliable.
    look_ahead
        Most steps of the dual simplex method for each child that is tried; on smaller graphs the number of vertices.
    """

    candidates: int
    in_vain: int
    reliable: int
    look_ahead: int


QUICK_CARE = Care(candidates=8, in_vain=4, reliable=4, look_ahead=100)
"""Care for the shortest time."""
THOROUGH_CARE = Care(candidates=32, in_vain=16, reliable=100, look_ahead=1000)
"""Care for fewer nodes; each takes about four times as long."""


class TooHigh(KTError):
    """The claimed bound is above the value of a solution that was met on the way: `edges`, its edge numbers."""

    def __init__(self, at_least: int, value: int, edges: IntArray) -> None:
        super().__init__(f"there is no bound of {at_least}: a solution has the value {value}")
        self.value, self.edges = value, edges


def make(
    problem: Problem,
    at_least: int,
    *,
    limits: Limits = NO_LIMITS,
    on_progress: Listener = silent,
    state: str | Path | None = None,
) -> CaseTree | None:
    """A tree of cases, grown by this process alone, that proves a lower bound of a problem's objective.

    Parameters
    ----------
    problem
        A problem with weights on pairs of edges that meet, as turns are.
    at_least
        The bound to prove.
    limits
        Looked at between linear programs, and now and then within them.
    on_progress
        Called with a short report after every node.
    state
        A file for the unfinished tree, written now and then and when time runs out; if it exists, with the same problem
        and claim, the work continues from it.

    Returns
    -------
    CaseTree or None
        None if time ran out.

    Raises
    ------
    TooHigh
        If a solution of smaller value was met: then there is no such certificate.
    KTError
        If the problem is of another kind or has no solution at all, or the state file is of another problem.
    """
    tree = CaseTree(problem, at_least)
    if state is None:
        return tree if tree.grow(limits, on_progress=on_progress) else None
    if Path(state).exists():
        tree.resume(state)
    saved = time.monotonic()

    def keep(now: Report) -> None:
        nonlocal saved
        on_progress(now)
        if time.monotonic() > saved + SAVE_SECONDS:
            tree.save(state)
            saved = time.monotonic()

    if tree.grow(limits, on_progress=keep):
        return tree
    tree.save(state)
    return None


class CaseTree:
    """A tree of cases that grows until it proves that a problem's objective is at least a given number.

    Its `nodes` are those of a certificate, with multipliers in units of 1 / `evaluator.denominator`.

    Parameters
    ----------
    costs
        Pseudo-costs from another tree of the problem.
    care
        The effort at each node.

    Raises
    ------
    CertificateError
        If the problem has weights on pairs of edges that do not meet, or too large ones.
    """

    def __init__(
        self, problem: Problem, at_least: int, costs: PseudoCosts | None = None, care: Care = QUICK_CARE
    ) -> None:
        self.limits = NO_LIMITS
        self.problem, self.at_least, self.care = problem, at_least, care
        self.instance = Instance(problem)
        if not self.instance.weights.local:
            name = problem.objective_name
            raise CertificateError(
                f"bounds by branching need weights on moves that meet at a cell, which {name} are not"
            )
        self.program = NodeProgram(self.instance)
        # The finest denominator whose numbers stay within what a certificate may hold.
        fine = max((d for d in DENOMINATORS if d * self.program.penalty * 4 < MAX_NUMBER), default=0)
        if not fine:
            raise CertificateError(f"bounds by branching: the weights of {problem.objective_name} are too large")
        self.evaluator = Evaluator(self.instance, [], fine)
        self.below = greatest_below(problem, at_least)
        """The greatest value below the claim that the objective can have: bounds have to exceed it."""
        self.rows: dict[Cut, None] = {}
        self.walk = Preorder(self.instance, self.evaluator)
        self.depths = [0] * len(self.walk.pending)
        self.nodes: list[list[int]] = []
        self.base: Ints | None = None
        """The multipliers of the root, which apply everywhere; None until they are known."""
        self.leaves, self.share = 0, 0.0
        self.costs = costs or PseudoCosts(self.instance)

    def again(self) -> CaseTree:
        """A new tree for the same claim, with more care and the knowledge of this one; it usually gets smaller."""
        tree = CaseTree(self.problem, self.at_least, self.costs, THOROUGH_CARE)
        tree.append(list(self.rows))
        return tree

    def grow(self, limits: Limits = NO_LIMITS, nodes: int | None = None, on_progress: Listener = silent) -> bool:
        """Continue the growth; return whether the tree is complete.

        Parameters
        ----------
        nodes
            Most further nodes.

        Raises
        ------
        TooHigh
            If a solution of smaller value was met.
        """
        self.limits = self.program.limits = limits
        before = len(self.nodes)
        while self.walk.pending and (nodes is None or len(self.nodes) < before + nodes):
            if not self.step():
                return False
            on_progress(Report(words=self.progress()))
        return not self.walk.pending

    def data(self) -> dict[str, Any]:
        """The data of a certificate, from a complete tree.

        Raises
        ------
        KTError
            If the problem has an objective and no solution at all.
        """
        if not self.leaves and self.problem.objective is not NOTHING:
            raise KTError(f"{self.problem.graph.name}: there is no solution at all, which is not a bound")
        return compact(self.instance, self.evaluator, list(self.rows), self.nodes, self.below)

    def progress(self) -> str:
        """The finished share of the tree; a leaf at depth d counts 2^-d."""
        return f"{len(self.nodes):,} nodes, {100 * self.share:.1f} % of the tree"

    # -- nodes -----------------------------------------------------------------------------------------------------

    def step(self) -> bool:
        """Settle the next node; False if time is up."""
        state, in_force = self.walk.pending[-1]
        # The multipliers in force may prove the claim already, which saves a linear program.
        if self.shows(state, in_force):
            return self.enter([LEAF])
        self.program.load(state)
        value = self.bounded(state)
        if value is None:
            return False
        multipliers = self.program.multipliers(self.evaluator.denominator)
        # A node stores only changes against the multipliers in force, which keeps certificates small.
        changes = changes_of(np.pad(in_force, (0, len(multipliers) - len(in_force))), multipliers)
        if self.shows(state, multipliers):
            return self.enter([LEAF, *changes])
        branching = self.choose(state, value)
        if branching is None:
            return False
        threshold = [branching.threshold] if branching.kind in (LIGHT, HEAVY) else []
        if self.base is None:
            self.base = multipliers
        else:
            # An inner node other than the root stores no changes; the leaves store theirs.
            changes = []
        return self.enter([branching.kind, branching.subject, *threshold, *changes])

    def enter(self, node: list[int]) -> bool:
        """Add a node to the tree."""
        before, depth = len(self.walk.pending), self.depths.pop()
        _, _, branching = self.walk.step(node)
        children = len(self.walk.pending) - before + 1
        self.depths += [depth + 1] * children
        # A child without solutions is never visited, so its share is done at once.
        self.share += 2.0**-depth * (1 if branching is None else (2 - children) / 2)
        self.leaves += branching is None
        self.nodes.append(node)
        return True

    def shows(self, state: State, multipliers: Ints) -> bool:
        """Whether multipliers prove the claim at a node."""
        if len(multipliers) < self.evaluator.size:
            multipliers = np.pad(multipliers, (0, self.evaluator.size - len(multipliers)))
        return self.evaluator.bound(state, multipliers) > self.below * self.evaluator.denominator

    def bounded(self, state: State) -> float | None:
        """Solve the linear program of the loaded node, and add rows while that helps."""
        value = self.program.solve()
        tried = 0
        while value is not None and value < self.below + TOLERANCE and not self.limits.over:
            taken, used, ending = self.program.shares()
            rows = [cut for cut in separate(self.problem, used, ending) if cut not in self.rows]
            whole = bool(np.all(np.abs(taken - np.rint(taken)) < TOLERANCE))
            if not rows and whole:
                self.refuse(taken, used)
            if not rows or (not whole and tried >= MAX_ROUNDS):
                break
            self.append(rows)
            value = self.program.solve()
            tried += 1
        return None if self.limits.over else value

    def append(self, rows: list[Cut]) -> None:
        """Add rows to the bound and to the linear program."""
        self.program.append(self.admit(rows))

    def admit(self, rows: list[Cut]) -> list[Inequality]:
        """Add rows to the bound alone."""
        self.rows.update(dict.fromkeys(rows))
        return self.evaluator.append(rows)

    def refuse(self, taken: Floats, used: Floats) -> None:
        """Raise `TooHigh` if a solution of the linear program solves the problem."""
        if any(np.abs(taken[columns].sum() - 1) > TOLERANCE for columns in self.program.of_vertex):
            return  # A vertex was left without an option, at a penalty.
        edges = np.flatnonzero(used > 0.5).astype(np.int32)
        try:
            verify_edges(self.problem, edges)
        except KTError:
            return
        value = self.problem.cost(edges)
        if value is not None and value < self.at_least:
            raise TooHigh(self.at_least, value, edges)

    # -- branching -------------------------------------------------------------------------------------------------

    def choose(self, state: State, value: float) -> Branching | None:
        """The property whose children have the best bounds, as tried or expected; None if time is up."""
        basis = self.program.basis()
        wanted = max(self.below + TOLERANCE - value, TOLERANCE)
        best, best_score, tried, since = None, -1.0, 0, 0
        for branching, share in self.candidates(state, wanted):
            if tried >= self.care.candidates or since >= self.care.in_vain:
                break
            if not self.instance.splits(state, branching):
                continue
            if self.costs.times(branching) < self.care.reliable:
                tried += 1
                gains = self.attempt(state, branching, share, value, basis, wanted)
                if gains is None:
                    return None
            else:
                gains = self.expected(branching, share, wanted)
            since += 1
            score = gains[0] * gains[1]
            if score > best_score:
                best, best_score, since = branching, score, 0
            if min(gains) >= wanted:
                break
        self.program.restore(state, basis)
        if best is None:
            raise KTError(f"{self.problem.graph.name}: a node cannot be split; the numbers are too large for it")
        return best

    def expected(self, branching: Branching, share: float, wanted: float) -> list[float]:
        """The gain that the two children are expected to have."""
        return [min(self.costs.expected(branching, child, abs(1 - child - share)), wanted) for child in (0, 1)]

    def attempt(
        self, state: State, branching: Branching, share: float, value: float, basis: Any, wanted: float
    ) -> list[float] | None:
        """The gain of the two children after some steps of the dual simplex method; None if time is up."""
        gains, steps = [], min(self.care.look_ahead, self.instance.n)
        for number, child in enumerate(self.instance.children(state, branching)):
            if self.limits.over:
                return None
            gain = wanted
            if child is not None:
                self.program.restore(child, basis)
                reached = self.program.solve(steps)
                if reached is None:
                    return None
                gain = max(reached - value, 0.0)
                self.costs.record(branching, number, gain, abs(1 - number - share))
            gains.append(min(max(gain, 1e-3 * wanted), wanted))
        return gains

    def candidates(self, state: State, wanted: float) -> list[tuple[Branching, float]]:
        """Properties, one of each orbit, with their shares in the solution, the most promising first."""
        instance = self.instance
        taken, used, _ = self.program.shares()
        branchings = [(Branching(USED, e), float(used[e])) for e in _representatives(state, instance, 1)]
        for v in _representatives(state, instance, 0):
            weights_at = instance.pair_weights(v)
            weights = {w for i, w in enumerate(weights_at) if state.options[v] >> i & 1}
            for threshold in sorted(weights)[:-1]:
                columns, light = self.program.of_vertex[v], np.array(weights_at) <= threshold
                branchings.append((Branching(LIGHT, v, threshold), float(taken[columns][light].sum())))

        # One child of a property whose share is whole gains nothing; those come last, in any order.
        whole = [item for item in branchings if not TOLERANCE < item[1] < 1 - TOLERANCE]
        split = [item for item in branchings if TOLERANCE < item[1] < 1 - TOLERANCE]

        def likely(item: tuple[Branching, float]) -> tuple[float, float]:
            first, second = self.expected(*item, wanted)
            return -first * second, abs(item[1] - 0.5)

        return sorted(split, key=likely) + whole

    # -- parts -----------------------------------------------------------------------------------------------------

    def give(self) -> tuple[int, State]:
        """Give up the last pending node with all below it: its depth and its state."""
        state, _ = self.walk.pending.pop(0)
        return self.depths.pop(0), state

    def take(self, depth: int, state: State, limits: Limits) -> None:
        """Grow what is below a node of another tree with the same `base`, from scratch."""
        self.limits = self.program.limits = limits
        assert self.base is not None
        self.walk.pending, self.depths = [(state, self.base)], [depth]
        self.nodes, self.share = [], 0.0

    def complete(self, nodes: list[list[int]], leaves: int) -> None:
        """Insert the nodes of all parts that were given up, in preorder."""
        self.nodes += nodes
        self.leaves += leaves

    # -- resuming --------------------------------------------------------------------------------------------------

    @property
    def subject(self) -> dict[str, Any]:
        """The subject of a state file."""
        return {"at_least": self.at_least, "problem": self.problem.to_json()}

    def save(self, path: str | Path) -> None:
        """Write the unfinished tree."""
        rows = [[list(row.vertices), list(row.teeth)] for row in self.rows]
        write_state(path, "branching", self.subject, {"rows": rows, "nodes": self.nodes})

    def resume(self, path: str | Path) -> None:
        """Continue from a tree that `save` wrote.

        Raises
        ------
        KTError
            If the file is of another problem or claim, or damaged.
        """
        data = read_state(path, "branching", self.subject)
        self.append(list(dict.fromkeys(read_cuts(self.problem, data.get("rows")))))
        nodes = data.get("nodes")
        for node in nodes if isinstance(nodes, list) else []:
            in_force = self.walk.pending[-1][1] if self.walk.pending else None
            self.enter(node)
            if self.base is None:
                self.base = self.walk.pending[-1][1] if self.walk.pending else in_force


def _representatives(state: State, instance: Instance, which: int) -> list[int]:
    """The least vertex (0) or edge (1) of each orbit under a node's group."""
    images = np.array([instance.symmetries[g][which] for g in instance.group(state)])
    return np.flatnonzero(images.min(axis=0) == np.arange(images.shape[1])).tolist()
