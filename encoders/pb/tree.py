"""A tree certificate as a cutting-planes proof in the format of VeriPB.

The formula states that the value is below the claim. Every leaf is one line `pol`: the multipliers, as a sum of
constraints, leave a constraint that fails as soon as the options excluded at the leaf are 0. So the clause "not all of
the decisions that lead here" follows by reverse unit propagation. Clauses of children are added up to that of their
parent; that of the root is empty.

Three things come first. Sums of rows let unit propagation see that an edge is unused if no option of a vertex uses it,
and used if every option does. Sums of the two rows of an edge are prepared for the multipliers. And the multipliers of
the root are added up once, so that a leaf adds only its changes.

Orbital branching is written out: the first child once for each image of its subject, with all below it rotated or
reflected. If propagation closes a cycle too early, the cut-set of its vertices is added to the formula, and the clause
"not all edges of the cycle" follows from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from encoders.pb.proof import CuttingPlanes, Derivation
from encoders.pb.propagation import Cycle, Observed, say_what_propagates
from kt_models.errors import KTError
from kt_models.kernel.certificates import Certificate
from kt_models.kernel.certificates.cut_inequalities import Cut, read_cuts
from kt_models.kernel.certificates.integers import Ints
from kt_models.kernel.certificates.nodes import UNUSED, USED, Branching, Instance, State
from kt_models.kernel.certificates.tree import FORBIDDEN, Preorder, Prices, read_evaluator, read_symmetry
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem


@dataclass
class _Node:
    """A node: its options and multipliers; its children, None for one without solutions; the cycles that were met."""

    state: State
    multipliers: Ints
    branching: Branching | None
    images: dict[int, int] = field(default_factory=dict)
    """Images of the subject, each with the symmetry that maps to it."""
    children: list[_Node | None] = field(default_factory=list)
    cycles: list[Cycle] = field(default_factory=list)


class _Sum(NamedTuple):
    """A sum of constraints: a multiple for each row of the formula (a negative one is of the reversed equation)."""

    rows: dict[int, int]

    def less(self, other: _Sum) -> dict[int, int]:
        """The difference."""
        changed = {row: self.rows.get(row, 0) - other.rows.get(row, 0) for row in {*self.rows, *other.rows}}
        return {row: times for row, times in sorted(changed.items()) if times}


class _Image:
    """The image of vertices, edges and options under a symmetry of the board."""

    def __init__(self, instance: Instance, vertices: Iterable[int], edges: Iterable[int]) -> None:
        self.vertices, self.edges = np.array(list(vertices)), np.array(list(edges))
        options, m = instance.options, instance.m
        owner = np.repeat(np.arange(instance.n), np.diff(options.start))
        mapped = np.append(self.edges, -1)
        keys = _keys(owner, options.first, options.second, m)
        images = _keys(self.vertices[owner], mapped[options.first], mapped[options.second], m)
        order = np.argsort(keys)
        self.options = order[np.searchsorted(keys[order], images)]
        tails = instance.problem.graph.tails
        self.swapped = self.vertices[tails] != tails[self.edges]

    @property
    def key(self) -> bytes:
        """A key that differs for different images of the edges."""
        return bytes(self.edges.tobytes() + self.vertices.tobytes())


def _keys(owner: Ints, first: Ints, second: Ints, m: int) -> Ints:
    # -1 stands for no edge, so 1 is added.
    low, high = np.minimum(first, second) + 1, np.maximum(first, second) + 1
    return (owner * (m + 2) + low) * (m + 2) + high


def refute_tree(certificate: Certificate, flow: int | None = None, limits: Limits = NO_LIMITS) -> CuttingPlanes:
    """The formula and the refutation of a tree certificate of a bound, which must be right."""
    problem, bound = certificate.problem, certificate.cost_bound
    if bound is None:
        raise KTError("a tree certificate without a bound")
    return _Writer(problem, certificate.data, limits).refutation(bound, flow)


class _Writer:
    """Writes the proof."""

    def __init__(self, problem: Problem, data: dict[str, Any], limits: Limits) -> None:
        self.problem, self.limits = problem, limits
        self.instance = Observed(problem)
        self.evaluator = read_evaluator(self.instance, data)
        self.end = dict(data.get("multipliers", [])).get(self.instance.m, 0)
        cuts, images = read_cuts(problem, data.get("cuts", [])), read_symmetry(problem, data.get("symmetry", []))
        shares = self.evaluator.base_cuts.tolist()
        self.base_cuts = [(image, z) for cut, z in zip(cuts, shares, strict=True) if z for image in images.of_cut(cut)]
        self.own_cuts = cuts
        self.cuts: dict[Cut, int] = {}
        self.root = self._read(data.get("nodes", [[0]]))
        self.owner = np.repeat(np.arange(self.instance.n), np.diff(self.instance.options.start))
        self.known: dict[bytes, _Image] = {}

    def _read(self, nodes: list[list[int]]) -> _Node:
        walk = Preorder(self.instance, self.evaluator)
        cycles = list(self.instance.noted)
        numbers = iter(nodes)

        def node() -> _Node:
            self.limits.check()
            child = _Node(*walk.step(next(numbers)))
            if child.branching is not None:
                which = 1 if child.branching.kind in (USED, UNUSED) else 0
                # Each image of the subject needs one symmetry that maps to it; the first will do.
                for g in self.instance.group(child.state):
                    child.images.setdefault(self.instance.symmetries[g][which][child.branching.subject], g)
                self.instance.noted.clear()
                states = list(self.instance.children(child.state, child.branching))
                child.cycles = list(dict.fromkeys(self.instance.noted))
                for state in states:
                    child.children.append(None if state is None else node())
            return child

        root = node()
        root.cycles = list(dict.fromkeys([*cycles, *root.cycles]))
        return root

    # -- the proof -------------------------------------------------------------------------------------------------

    def refutation(self, bound: int, flow: int | None) -> CuttingPlanes:
        """The complete refutation."""
        identity = self._image(range(self.instance.n), range(self.instance.m))
        self._gather(self.root, identity)  # The formula must be complete before its rows have numbers.
        self.proof = Derivation(self.problem, bound, list(self.cuts), flow)
        self.model = self.proof.model
        self.bases: dict[bytes, tuple[int, _Sum]] = {}
        self.sums: dict[int, int] = {}
        self.excluded: set[frozenset[int]] = set()
        if self.root.branching is not None or self.root.state.options != [(1 << w) - 1 for w in self.instance.widths]:
            self._propagate()
        return self.proof.conclude(self._write(self.root, identity, [], []))

    def _image(self, vertices: Iterable[int], edges: Iterable[int]) -> _Image:
        image = _Image(self.instance, vertices, edges)
        return self.known.setdefault(image.key, image)

    def _after(self, outer: _Image, g: int) -> _Image:
        """The composition of another symmetry with number g."""
        vertices, edges = self.instance.symmetries[g]
        return self._image(outer.vertices[vertices], outer.edges[edges])

    def _gather(self, node: _Node, image: _Image) -> None:
        """Collect the cuts that a subtree and its images need."""
        for cut in [c for c, _ in self.base_cuts] + self.own_cuts:
            self._cut_number(cut, image)
        for cycle in node.cycles:
            self._cut_number(Cut(cycle.vertices), image)
        if node.branching is None:
            return
        for child, inner in self._expanded(node, image):
            if child is not None:
                self._gather(child, inner)

    def _expanded(self, node: _Node, image: _Image) -> Iterator[tuple[_Node | None, _Image]]:
        """The first child under each symmetry with another image of the subject, then the second child."""
        for g in self._different(node).values():
            yield node.children[0], self._after(image, g)
        yield node.children[1], image

    def _different(self, node: _Node) -> dict[int, int]:
        """The images of the subject; edges that share a variable count once."""
        assert node.branching is not None
        if node.branching.kind not in (USED, UNUSED):
            return node.images
        orbits = self.problem.edge_orbits
        once: dict[int, int] = {}
        for subject in node.images:
            once.setdefault(int(orbits[subject]), subject)
        return {subject: node.images[subject] for subject in once.values()}

    def _cut_number(self, cut: Cut, image: _Image) -> int:
        mapped = Cut(
            tuple(sorted(image.vertices[list(cut.vertices)].tolist())),
            tuple(sorted(image.edges[list(cut.teeth)].tolist())) if cut.teeth else (),
        )
        return self.cuts.setdefault(mapped, len(self.cuts))

    def _propagate(self) -> None:
        """Write the lines for unit propagation, and the sums of both rows of an edge, in both directions."""
        say_what_propagates(self.proof)
        if self.root.branching is not None:
            for e, (tail, head) in enumerate(self.model.edge_rows.tolist()):
                self.sums[e] = self.proof.pol([self.proof.row(tail, 1), self.proof.row(head, -1)])
                self.proof.pol([self.proof.row(tail, -1), self.proof.row(head, 1)])

    def _write(self, node: _Node, image: _Image, clause: list[int], cycles: list[Cycle]) -> int:
        """Prove a clause, literals as in DIMACS: no solution makes all of them false; return its number."""
        self.limits.check()
        cycles = [*cycles, *node.cycles]
        for cycle in cycles:
            self._exclude(cycle, image)
        if node.branching is None:
            return self._leaf(node, image, clause)
        parts, used = [], []
        for (child, inner), more in zip(self._expanded(node, image), self._decisions(node, image), strict=True):
            longer = list(dict.fromkeys([*clause, *more]))
            number = self.proof.rup(longer) if child is None else self._write(child, inner, longer, cycles)
            parts.append(str(number))
            used.append(number)
        # The leaf clauses about options add up with the row that says that a vertex takes one option.
        if node.branching.kind not in (USED, UNUSED):
            parts += [self.proof.row(self.model.vertex_row + int(image.vertices[v]), -1) for v in node.images]
        number = self.proof.pol(parts, " s")
        self.proof.delete(used)
        return number

    def _decisions(self, node: _Node, image: _Image) -> Iterator[list[int]]:
        """The literals that each child's clause has beyond its parent's: those that its decision makes false."""
        branching, model = node.branching, self.model
        assert branching is not None
        subjects = list(self._different(node))
        if branching.kind in (USED, UNUSED):
            sign = -1 if branching.kind == USED else 1
            literals = [sign * model.edge[int(image.edges[e])] for e in subjects]
            yield from ([x] for x in literals)
            yield [-x for x in literals]
            return
        yield from (self._excluded(branching, v, True, image) for v in subjects)
        yield [x for v in subjects for x in self._excluded(branching, v, False, image)]

    def _excluded(self, branching: Branching, vertex: int, holds: bool, image: _Image) -> list[int]:
        ((_, mask),) = self.instance.limits(branching, vertex, holds)
        start, width = int(self.instance.options.start[vertex]), self.instance.widths[vertex]
        excluded = [start + i for i in range(width) if not mask >> i & 1]
        return [self.model.option + k for k in image.options[excluded].tolist()]

    def _exclude(self, cycle: Cycle, image: _Image) -> None:
        edges = frozenset(self.model.edge[e] for e in image.edges[list(cycle.edges)].tolist())
        if edges not in self.excluded:
            self.excluded.add(edges)
            self.proof.rup([-x for x in sorted(edges)])

    def _leaf(self, node: _Node, image: _Image, clause: list[int]) -> int:
        # The sum of the root is shared by all leaves of an image; a leaf adds only its changes.
        if image.key not in self.bases:
            total = self._sum(self.root, image)
            value = self.proof.row(self.model.value_row, self.evaluator.denominator)
            self.bases[image.key] = self.proof.pol([value, *self._words(total.rows)]), total
        base, total = self.bases[image.key]
        changes = self._words(self._sum(node, image).less(total))
        if not changes and not clause and not self.sums:
            return self.proof.rup([])
        number = self.proof.pol([str(base), *changes]) if changes else base
        line = self.proof.rup(clause)
        if number != base:
            self.proof.delete([number])
        return line

    def _words(self, rows: dict[int, int]) -> list[str]:
        """A sum as words of `pol`; the two rows of an edge are one word if their sum was prepared."""
        rows = dict(rows)
        words = []
        for e, number in self.sums.items():
            tail, head = self.model.edge_rows[e].tolist()
            times = rows.get(tail, 0)
            if times and rows.get(head, 0) == -times:
                del rows[tail], rows[head]
                place = number + (times < 0)
                words.append(f"{place} {abs(times)} *" if abs(times) != 1 else f"{place}")
        return words + [self.proof.row(row, times) for row, times in rows.items()]

    def _sum(self, node: _Node, image: _Image) -> _Sum:
        """The sum of the multipliers of a node, rotated or reflected."""
        instance, model, evaluator = self.instance, self.model, self.evaluator
        multipliers = node.multipliers
        prices = evaluator.prices(multipliers)
        tail, head, end = np.empty_like(prices.tail), np.empty_like(prices.head), np.empty_like(prices.end)
        # A symmetry may swap the ends of an edge.
        tail[image.edges] = np.where(image.swapped, prices.head, prices.tail)
        head[image.edges] = np.where(image.swapped, prices.tail, prices.head)
        end[image.vertices] = prices.end
        allowed = np.zeros(len(self.owner), dtype=bool)
        allowed[image.options] = evaluator.allowed(node.state)
        costs = evaluator.costs(Prices(tail, head, end, 0), instance.options, self.owner)
        least = np.minimum.reduceat(np.where(allowed, costs, FORBIDDEN), instance.options.start[:-1])
        rows = dict(enumerate(least.tolist(), start=model.vertex_row))
        for e, (at_tail, at_head) in enumerate(zip(tail.tolist(), head.tolist(), strict=True)):
            rows[int(model.edge_rows[e, 0])], rows[int(model.edge_rows[e, 1])] = -at_tail, -at_head
        for v, row in enumerate(model.end_row.tolist()):
            if row >= 0:
                rows[row] = -int(end[v])
        if instance.free_ends:
            rows[model.ends_row] = -(self.end + int(multipliers[instance.m]))
        own_cuts = zip(self.own_cuts, multipliers[instance.m + 1 :].tolist(), strict=True)
        for cut, z in [*self.base_cuts, *own_cuts]:
            if z:
                row = self.proof.cut_row + self._cut_number(cut, image)
                rows[row] = rows.get(row, 0) + z
        return _Sum({row: times for row, times in rows.items() if times})
