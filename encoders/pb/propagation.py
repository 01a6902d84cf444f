"""Propagation as cutting planes: sums of rows from which unit propagation gets what the kernel sees without branching.

An edge is unused if no option of a vertex uses it, and used if every option does. Unit propagation cannot see this from
the rows of the formula, but from their sums. If propagation closes a cycle too early, the clause "not all edges of the
cycle" follows from the cut-set of its vertices.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from encoders.pb.proof import CuttingPlanes, Derivation
from kt_models.errors import KTError
from kt_models.kernel.certificates import Certificate
from kt_models.kernel.certificates.cut_inequalities import Cut
from kt_models.kernel.certificates.nodes import Instance, State
from kt_models.kernel.certificates.proofs.zero_one import NOTHING
from kt_models.limits import NO_LIMITS, Limits
from kt_models.problem import Problem


class Cycle(NamedTuple):
    """Edges that cannot all be used, and the cut-set that proves it."""

    edges: tuple[int, ...]
    vertices: tuple[int, ...]


class Observed(Instance):
    """An instance that records why paths may not be joined."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.noted: list[Cycle] = []

    def _join(self, state: State, edge: int, queue: list[int]) -> bool:
        tail, head = self.ends[edge]
        first, last = state.far[tail], state.far[head]
        if first == head:
            self._note(state, head, edge, closed=True)
            return super()._join(state, edge, queue)
        before = [e for e in self.between.get((min(first, last), max(first, last)), ()) if state.status[e] == 0]
        fine = super()._join(state, edge, queue)
        if not fine:
            self._note(state, first, None, closed=False)
        elif not (self.closed and state.size[first] == self.n):
            for e in before:
                self._note(state, first, e, closed=True)
        return fine

    def _note(self, state: State, begin: int, closing: int | None, *, closed: bool) -> None:
        """The path of used edges that begins at a vertex, with or without the closing edge."""
        edges: list[int] = [] if closing is None else [closing]
        vertices, vertex = [begin], begin
        while True:
            onward = [e for e in self.incident[vertex] if state.status[e] == 1 and e not in edges[:1] + edges[-1:]]
            if not onward:
                break
            edges.append(onward[0])
            vertex = sum(self.ends[onward[0]]) - vertex
            if vertex == begin:
                break
            vertices.append(vertex)
        inside = set(vertices)
        if len(inside) < self.n:
            cut = inside if closed else set(range(self.n)) - inside
            self.noted.append(Cycle(tuple(edges), tuple(sorted(cut))))


def say_what_propagates(proof: Derivation) -> None:
    """Write clauses for propagation: an edge, or an end, is used or an option without it is taken; not both."""
    model = proof.model
    edges = [
        (row, v) for e, ends in enumerate(model.instance.ends) for row, v in zip(model.edge_rows[e], ends, strict=True)
    ]
    ends = [(row, v) for v, row in enumerate(model.end_row) if row >= 0]
    for row, v in [*edges, *ends]:
        for sign in (1, -1):
            proof.pol([proof.row(model.vertex_row + v, sign), proof.row(int(row), -sign)])


def refute_by_propagation(
    certificate: Certificate, flow: int | None = None, limits: Limits = NO_LIMITS
) -> CuttingPlanes:
    """The formula and the refutation if forced moves (method `forced`) lead to a contradiction.

    Raises
    ------
    KTError
        If propagation by cells does not see it.
    """
    problem = certificate.problem
    instance = Observed(replace(problem, objective=NOTHING))
    if instance.root() is not None:
        raise KTError("forced: propagation at the cells does not see it")
    cycles = list(dict.fromkeys(instance.noted))
    proof = Derivation(problem, None, list(dict.fromkeys(Cut(cycle.vertices) for cycle in cycles)), flow)
    limits.check()
    say_what_propagates(proof)
    for cycle in cycles:
        proof.rup(sorted({-proof.model.edge[e] for e in cycle.edges}))
    return proof.conclude(proof.rup())
